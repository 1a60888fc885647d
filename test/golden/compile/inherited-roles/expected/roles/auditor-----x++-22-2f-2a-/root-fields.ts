// Generated: change the metadata, not this file.
// From   role auditor "/* x
// Slice  sha256:64e30e4b

import { defineRole, selectByPk, selectMany, streamRows } from "engine/support";
import { lodger } from "./default/public.lodger.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const query = { lodger: selectMany(() => lodger), lodger_by_pk: selectByPk(() => lodger) };

/** Root fields of role auditor "/* x. */
export const role = defineRole({
  role: "auditor \"/* x",
  query,
  subscription: { ...query, lodger_stream: streamRows(() => lodger) },
  tables: () => tables,
});
