// Generated: change the metadata, not this file.
// From   role constants: tables
// Slice  sha256:83802521

import { type TablesByName } from "engine/support";
import { customer } from "./default/public.customer.js";

/** Tables on which role constants has a permission. */
export const tables: TablesByName = { default: { public: { customer: () => customer } } };
