// Generated: change the metadata, not this file.
// From   role agent
// Slice  sha256:a6466327

import { defineRole, selectByPk, selectMany } from "engine/support";
import { customer } from "./default/public.customer.js";

/** What role agent may ask. */
export const role = defineRole({
  role: "agent",
  query: { customer: selectMany(() => customer), customer_by_pk: selectByPk(() => customer) },
  tables: { default: { public: { customer: () => customer } } },
});
