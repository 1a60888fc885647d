// Generated: change the metadata, not this file.
// From   role lists
// Slice  sha256:ba3c6429

import { defineRole, selectByPk, selectMany } from "engine/support";
import { customer } from "./default/public.customer.js";

/** What role lists may ask. */
export const role = defineRole({
  role: "lists",
  query: { customer: selectMany(() => customer), customer_by_pk: selectByPk(() => customer) },
  tables: { default: { public: { customer: () => customer } } },
});
