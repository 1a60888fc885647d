// Generated: change the metadata, not this file.
// From   role related
// Slice  sha256:9a20cf11

import { defineRole, selectByPk, selectMany } from "engine/support";
import { customer } from "./default/public.customer.js";

/** What role related may ask. */
export const role = defineRole({
  role: "related",
  query: { customer: selectMany(() => customer), customer_by_pk: selectByPk(() => customer) },
  tables: { default: { public: { customer: () => customer } } },
});
