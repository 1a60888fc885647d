// Generated: change the metadata, not this file.
// From   role agent: tables
// Slice  sha256:4da2bb93

import { type TablesByName } from "engine/support";
import { customer } from "./default/public.customer.js";

/** The tables that role agent has some permission on. */
export const tables: TablesByName = { default: { public: { customer: () => customer } } };
