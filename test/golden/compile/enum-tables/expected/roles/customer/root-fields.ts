// Generated: change the metadata, not this file.
// From   role customer
// Slice  sha256:fca54a5d

import {
  defineRole,
  selectAggregate,
  selectByPk,
  selectGroups,
  selectMany,
  streamRows,
} from "engine/support";
import { shirt } from "./default/public.shirt.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const query = {
  shirt: selectMany(() => shirt),
  shirt_aggregate: selectAggregate(() => shirt),
  shirt_by_pk: selectByPk(() => shirt),
  shirt_group: selectGroups(() => shirt),
};

/** Root fields of role customer. */
export const role = defineRole({
  role: "customer",
  query,
  subscription: { ...query, shirt_stream: streamRows(() => shirt) },
  tables: () => tables,
});
