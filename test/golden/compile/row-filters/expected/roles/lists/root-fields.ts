// Generated: change the metadata, not this file.
// From   role lists
// Slice  sha256:1bb0a5e2

import { defineRole, selectByPk, selectMany, streamRows } from "engine/support";
import { customer } from "./default/public.customer.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const query = { customer: selectMany(() => customer), customer_by_pk: selectByPk(() => customer) };

/** Root fields of role lists. */
export const role = defineRole({
  role: "lists",
  query,
  subscription: { ...query, customer_stream: streamRows(() => customer) },
  tables: () => tables,
});
