// Generated: change the metadata, not this file.
// From   role warden
// Slice  sha256:cac7d2a9

import { defineRole, selectByPk, selectMany, selectNative, streamRows } from "engine/support";
import { readings_since } from "./default/native.readings_since.query.js";
import { river } from "./default/public.river.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const query = {
  readings_since: selectNative(() => readings_since, { description: "Levels since a moment." }),
  river: selectMany(() => river),
  river_by_pk: selectByPk(() => river),
};

/** Root fields of role warden. */
export const role = defineRole({
  role: "warden",
  query,
  subscription: { ...query, river_stream: streamRows(() => river) },
  tables: () => tables,
});
