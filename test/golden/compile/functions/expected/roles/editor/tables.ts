// Generated: change the metadata, not this file.
// From   role editor: tables
// Slice  sha256:596fb803

import { type TablesByName } from "engine/support";
import { article } from "./default/public.article.js";
import { author } from "./default/public.author.js";

/** Tables on which role editor has a permission. */
export const tables: TablesByName = {
  default: { public: { article: () => article, author: () => author } },
};
