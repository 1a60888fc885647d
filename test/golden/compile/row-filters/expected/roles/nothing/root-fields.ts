// Generated: change the metadata, not this file.
// From   role nothing
// Slice  sha256:e4eed6d2

import { defineRole, selectByPk, selectMany, streamRows } from "engine/support";
import { purchase } from "./default/public.purchase.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const query = { purchase: selectMany(() => purchase), purchase_by_pk: selectByPk(() => purchase) };

/** Root fields of role nothing. */
export const role = defineRole({
  role: "nothing",
  query,
  subscription: { ...query, purchase_stream: streamRows(() => purchase) },
  tables: () => tables,
});
