// Generated: change the metadata, not this file.
// From   role lists: tables
// Slice  sha256:36d3d148

import { type TablesByName } from "engine/support";
import { customer } from "./default/public.customer.js";

/** Tables on which role lists has a permission. */
export const tables: TablesByName = { default: { public: { customer: () => customer } } };
