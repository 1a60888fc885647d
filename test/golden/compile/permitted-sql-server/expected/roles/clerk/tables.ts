// Generated: change the metadata, not this file.
// From   role clerk: tables
// Slice  sha256:6a7c1e47

import { type TablesByName } from "engine/support";
import { author } from "./default/dbo.author.js";
import { book } from "./default/dbo.book.js";

/** Tables on which role clerk has a permission. */
export const tables: TablesByName = {
  default: { dbo: { author: () => author, book: () => book } },
};
