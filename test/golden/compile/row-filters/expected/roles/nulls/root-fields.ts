// Generated: change the metadata, not this file.
// From   role nulls
// Slice  sha256:6e409d0b

import { defineRole, selectByPk, selectMany, streamRows } from "engine/support";
import { customer } from "./default/public.customer.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const query = { customer: selectMany(() => customer), customer_by_pk: selectByPk(() => customer) };

/** Root fields of role nulls. */
export const role = defineRole({
  role: "nulls",
  query,
  subscription: { ...query, customer_stream: streamRows(() => customer) },
  tables: () => tables,
});
