// Generated: change the metadata, not this file.
// From   role guest: tables
// Slice  sha256:3dca2480

import { type TablesByName } from "engine/support";
import { orders } from "./shop/public.orders.js";

/** The tables that role guest has some permission on. */
export const tables: TablesByName = { shop: { public: { orders: () => orders } } };
