// Generated: change the metadata, not this file.
// From   role guest: tables
// Slice  sha256:6f6cf0c5

import { type TablesByName } from "engine/support";

/** The tables that role guest has some permission on. */
export const tables: TablesByName = {};
