// Generated: change the metadata, not this file.
// From   role admin: tables
// Slice  sha256:e82df6b8

import { type TablesByName } from "engine/support";
import { article } from "./default/public.article.js";
import { author } from "./default/public.author.js";

/** Tables on which role admin has a permission. */
export const tables: TablesByName = {
  default: { public: { article: () => article, author: () => author } },
};
