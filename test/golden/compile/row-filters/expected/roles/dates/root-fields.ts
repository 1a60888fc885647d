// Generated: change the metadata, not this file.
// From   role dates
// Slice  sha256:e4f4aaa8

import { defineRole, selectByPk, selectMany, streamRows } from "engine/support";
import { purchase } from "./default/public.purchase.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const query = { purchase: selectMany(() => purchase), purchase_by_pk: selectByPk(() => purchase) };

/** Root fields of role dates. */
export const role = defineRole({
  role: "dates",
  query,
  subscription: { ...query, purchase_stream: streamRows(() => purchase) },
  tables: () => tables,
});
