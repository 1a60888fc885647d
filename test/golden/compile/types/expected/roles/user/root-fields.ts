// Generated: change the metadata, not this file.
// From   role user
// Slice  sha256:3e0f5f90

import { defineRole, selectByPk, selectMany, streamRows } from "engine/support";
import { sample } from "./default/public.sample.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const query = { sample: selectMany(() => sample), sample_by_pk: selectByPk(() => sample) };

/** Root fields of role user. */
export const role = defineRole({
  role: "user",
  query,
  subscription: { ...query, sample_stream: streamRows(() => sample) },
  tables: () => tables,
});
