// Generated: change the metadata, not this file.
// From   role null_safe
// Slice  sha256:784567bd

import { defineRole, selectByPk, selectMany, streamRows } from "engine/support";
import { purchase } from "./default/public.purchase.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const query = { purchase: selectMany(() => purchase), purchase_by_pk: selectByPk(() => purchase) };

/** Root fields of role null_safe. */
export const role = defineRole({
  role: "null_safe",
  query,
  subscription: { ...query, purchase_stream: streamRows(() => purchase) },
  tables: () => tables,
});
