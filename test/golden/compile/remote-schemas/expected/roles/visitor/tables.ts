// Generated: change the metadata, not this file.
// From   role visitor: tables
// Slice  sha256:e1625be1

import { type TablesByName } from "engine/support";

/** The tables that role visitor has some permission on. */
export const tables: TablesByName = {};
