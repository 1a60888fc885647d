// Generated: change the metadata, not this file.
// From   role constants
// Slice  sha256:4ab44a4b

import { defineRole, selectByPk, selectMany, streamRows } from "engine/support";
import { customer } from "./default/public.customer.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const query = { customer: selectMany(() => customer), customer_by_pk: selectByPk(() => customer) };

/** Root fields of role constants. */
export const role = defineRole({
  role: "constants",
  query,
  subscription: { ...query, customer_stream: streamRows(() => customer) },
  tables: () => tables,
});
