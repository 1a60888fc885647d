// Generated: change the metadata, not this file.
// From   role constants
// Slice  sha256:a5870b51

import { defineRole, selectByPk, selectMany } from "engine/support";
import { customer } from "./default/public.customer.js";

/** What role constants may ask. */
export const role = defineRole({
  role: "constants",
  query: { customer: selectMany(() => customer), customer_by_pk: selectByPk(() => customer) },
  tables: { default: { public: { customer: () => customer } } },
});
