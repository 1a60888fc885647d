// Generated: change the metadata, not this file.
// From   role auditor
// Slice  sha256:01ec1b9b

import {
  defineRole,
  selectAggregate,
  selectByPk,
  selectGroups,
  selectMany,
  streamRows,
} from "engine/support";
import { note } from "./default/public.note.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const query = { note_aggregate: selectAggregate(() => note), note_group: selectGroups(() => note) };

/** Root fields of role auditor. */
export const role = defineRole({
  role: "auditor",
  query,
  subscription: {
    ...query,
    note: selectMany(() => note),
    note_by_pk: selectByPk(() => note),
    note_stream: streamRows(() => note),
  },
  tables: () => tables,
});
