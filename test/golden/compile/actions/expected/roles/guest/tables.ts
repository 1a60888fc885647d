// Generated: change the metadata, not this file.
// From   role guest: tables
// Slice  sha256:6f6cf0c5

import { type TablesByName } from "engine/support";

/** Tables on which role guest has a permission. */
export const tables: TablesByName = {};
