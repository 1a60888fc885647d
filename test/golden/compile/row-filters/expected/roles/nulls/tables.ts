// Generated: change the metadata, not this file.
// From   role nulls: tables
// Slice  sha256:200ac130

import { type TablesByName } from "engine/support";
import { customer } from "./default/public.customer.js";

/** Tables on which role nulls has a permission. */
export const tables: TablesByName = { default: { public: { customer: () => customer } } };
