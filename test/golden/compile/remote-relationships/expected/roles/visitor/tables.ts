// Generated: change the metadata, not this file.
// From   role visitor: tables
// Slice  sha256:4174c8bc

import { type TablesByName } from "engine/support";
import { orders } from "./shop/public.orders.js";

/** Tables on which role visitor has a permission. */
export const tables: TablesByName = { shop: { public: { orders: () => orders } } };
