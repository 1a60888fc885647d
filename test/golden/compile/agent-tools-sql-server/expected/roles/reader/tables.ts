// Generated: change the metadata, not this file.
// From   role reader: tables
// Slice  sha256:a18786bf

import { type TablesByName } from "engine/support";
import { author } from "./default/dbo.author.js";
import { book } from "./default/dbo.book.js";

/** Tables on which role reader has a permission. */
export const tables: TablesByName = {
  default: { dbo: { author: () => author, book: () => book } },
};
