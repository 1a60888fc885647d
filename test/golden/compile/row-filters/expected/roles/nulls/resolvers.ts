// Generated: change the metadata, not this file.
// From   role nulls
// Slice  sha256:d3e9a014

import { defineRole, selectByPk, selectMany } from "engine/support";
import { customer } from "./default/public.customer.js";

/** What role nulls may ask. */
export const role = defineRole({
  role: "nulls",
  query: { customer: selectMany(() => customer), customer_by_pk: selectByPk(() => customer) },
  tables: { default: { public: { customer: () => customer } } },
});
