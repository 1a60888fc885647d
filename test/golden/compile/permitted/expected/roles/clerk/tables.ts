// Generated: change the metadata, not this file.
// From   role clerk: tables
// Slice  sha256:b9f90f87

import { type TablesByName } from "engine/support";
import { author } from "./default/public.author.js";
import { book } from "./default/public.book.js";

/** Tables on which role clerk has a permission. */
export const tables: TablesByName = {
  default: { public: { author: () => author, book: () => book } },
};
