// Generated: change the metadata, not this file.
// From   role admin: tables
// Slice  sha256:f9b62313

import { type TablesByName } from "engine/support";
import { customer } from "./people/public.customer.js";
import { region } from "./people/public.region.js";
import { orders } from "./shop/public.orders.js";

/** Tables on which role admin has a permission. */
export const tables: TablesByName = {
  people: { public: { customer: () => customer, region: () => region } },
  shop: { public: { orders: () => orders } },
};
