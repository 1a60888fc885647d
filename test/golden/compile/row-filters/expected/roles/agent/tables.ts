// Generated: change the metadata, not this file.
// From   role agent: tables
// Slice  sha256:4da2bb93

import { type TablesByName } from "engine/support";
import { customer } from "./default/public.customer.js";

/** Tables on which role agent has a permission. */
export const tables: TablesByName = { default: { public: { customer: () => customer } } };
