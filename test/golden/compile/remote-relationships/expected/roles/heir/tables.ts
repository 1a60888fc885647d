// Generated: change the metadata, not this file.
// From   role heir: tables
// Slice  sha256:0e493030

import { type TablesByName } from "engine/support";
import { customer } from "./people/public.customer.js";
import { region } from "./people/public.region.js";
import { orders } from "./shop/public.orders.js";

/** Tables on which role heir has a permission. */
export const tables: TablesByName = {
  people: { public: { customer: () => customer, region: () => region } },
  shop: { public: { orders: () => orders } },
};
