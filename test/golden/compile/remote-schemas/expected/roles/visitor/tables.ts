// Generated: change the metadata, not this file.
// From   role visitor: tables
// Slice  sha256:e1625be1

import { type TablesByName } from "engine/support";

/** Tables on which role visitor has a permission. */
export const tables: TablesByName = {};
