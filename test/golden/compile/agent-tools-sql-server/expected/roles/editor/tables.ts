// Generated: change the metadata, not this file.
// From   role editor: tables
// Slice  sha256:9423b346

import { type TablesByName } from "engine/support";
import { book } from "./default/dbo.book.js";

/** Tables on which role editor has a permission. */
export const tables: TablesByName = { default: { dbo: { book: () => book } } };
