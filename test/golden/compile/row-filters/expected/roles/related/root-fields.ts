// Generated: change the metadata, not this file.
// From   role related
// Slice  sha256:de98dc17

import { defineRole, selectByPk, selectMany, streamRows } from "engine/support";
import { customer } from "./default/public.customer.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const query = { customer: selectMany(() => customer), customer_by_pk: selectByPk(() => customer) };

/** Root fields of role related. */
export const role = defineRole({
  role: "related",
  query,
  subscription: { ...query, customer_stream: streamRows(() => customer) },
  tables: () => tables,
});
