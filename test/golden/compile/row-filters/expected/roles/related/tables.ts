// Generated: change the metadata, not this file.
// From   role related: tables
// Slice  sha256:1caa5b7c

import { type TablesByName } from "engine/support";
import { customer } from "./default/public.customer.js";

/** Tables on which role related has a permission. */
export const tables: TablesByName = { default: { public: { customer: () => customer } } };
