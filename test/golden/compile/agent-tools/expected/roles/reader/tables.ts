// Generated: change the metadata, not this file.
// From   role reader: tables
// Slice  sha256:b2a449de

import { type TablesByName } from "engine/support";
import { author } from "./default/public.author.js";
import { book } from "./default/public.book.js";

/** Tables on which role reader has a permission. */
export const tables: TablesByName = {
  default: { public: { author: () => author, book: () => book } },
};
