// Generated: change the metadata, not this file.
// From   role agent
// Slice  sha256:7714e240

import { defineRole, selectByPk, selectMany, streamRows } from "engine/support";
import { customer } from "./default/public.customer.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const query = { customer: selectMany(() => customer), customer_by_pk: selectByPk(() => customer) };

/** Root fields of role agent. */
export const role = defineRole({
  role: "agent",
  query,
  subscription: { ...query, customer_stream: streamRows(() => customer) },
  tables: () => tables,
});
