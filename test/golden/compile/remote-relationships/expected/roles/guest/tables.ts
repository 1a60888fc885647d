// Generated: change the metadata, not this file.
// From   role guest: tables
// Slice  sha256:3dca2480

import { type TablesByName } from "engine/support";
import { orders } from "./shop/public.orders.js";

/** Tables on which role guest has a permission. */
export const tables: TablesByName = { shop: { public: { orders: () => orders } } };
