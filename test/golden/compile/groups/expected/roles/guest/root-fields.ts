// Generated: change the metadata, not this file.
// From   role guest
// Slice  sha256:7b71171f

import { defineRole, selectAggregate, selectByPk, selectMany, streamRows } from "engine/support";
import { town } from "./default/public.town.js";
import { visit } from "./default/public.visit.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const query = {
  town: selectMany(() => town),
  town_by_pk: selectByPk(() => town),
  visit: selectMany(() => visit),
  visit_aggregate: selectAggregate(() => visit),
};

/** Root fields of role guest. */
export const role = defineRole({
  role: "guest",
  query,
  subscription: {
    ...query,
    town_stream: streamRows(() => town),
    visit_stream: streamRows(() => visit),
  },
  tables: () => tables,
});
