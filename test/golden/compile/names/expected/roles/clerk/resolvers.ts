// Generated: change the metadata, not this file.
// From   role clerk
// Slice  sha256:6eb60254

import { defineRole, selectByPk, selectMany } from "engine/support";
import { order } from "./+main=20=+shop/+shop.order.js";

/** What role clerk may ask. */
export const role = defineRole({
  role: "clerk",
  query: {
    my_order_now: selectByPk(() => order, { description: "One order." }),
    my_orders_now: selectMany(() => order),
  },
  tables: { "Main Shop": { Shop: { order: () => order } } },
});
