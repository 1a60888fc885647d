// Generated: change the metadata, not this file.
// From   role columns
// Slice  sha256:02163192

import { defineRole, selectByPk, selectMany, streamRows } from "engine/support";
import { purchase } from "./default/public.purchase.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const query = { purchase: selectMany(() => purchase), purchase_by_pk: selectByPk(() => purchase) };

/** Root fields of role columns. */
export const role = defineRole({
  role: "columns",
  query,
  subscription: { ...query, purchase_stream: streamRows(() => purchase) },
  tables: () => tables,
});
