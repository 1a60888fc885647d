// Generated: change the metadata, not this file.
// From   role reader: tables
// Slice  sha256:e8b67133

import { type TablesByName } from "engine/support";
import { article } from "./default/public.article.js";
import { author } from "./default/public.author.js";

/** Tables on which role reader has a permission. */
export const tables: TablesByName = {
  default: { public: { article: () => article, author: () => author } },
};
