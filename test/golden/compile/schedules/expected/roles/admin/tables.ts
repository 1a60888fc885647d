// Generated: change the metadata, not this file.
// From   role admin: tables
// Slice  sha256:5dcc0853

import { type TablesByName } from "engine/support";

/** The tables that role admin has some permission on. */
export const tables: TablesByName = {};
