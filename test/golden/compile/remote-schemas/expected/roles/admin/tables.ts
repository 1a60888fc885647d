// Generated: change the metadata, not this file.
// From   role admin: tables
// Slice  sha256:5dcc0853

import { type TablesByName } from "engine/support";

/** Tables on which role admin has a permission. */
export const tables: TablesByName = {};
