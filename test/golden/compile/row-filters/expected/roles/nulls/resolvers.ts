// Generated: change the metadata, not this file.
// From   role nulls
// Slice  sha256:68546684

import { defineRole, selectByPk, selectMany, streamRows } from "engine/support";
import { customer } from "./default/public.customer.js";

/** Fields of queries and of subscriptions. */
const query = { customer: selectMany(() => customer), customer_by_pk: selectByPk(() => customer) };

/** What role nulls may ask. */
export const role = defineRole({
  role: "nulls",
  query,
  subscription: { ...query, customer_stream: streamRows(() => customer) },
  tables: { default: { public: { customer: () => customer } } },
});
