// Generated: change the metadata, not this file.
// From   role admin: tables
// Slice  sha256:bddbba28

import { type TablesByName } from "engine/support";
import { author } from "./default/dbo.author.js";
import { book } from "./default/dbo.book.js";

/** Tables on which role admin has a permission. */
export const tables: TablesByName = {
  default: { dbo: { author: () => author, book: () => book } },
};
