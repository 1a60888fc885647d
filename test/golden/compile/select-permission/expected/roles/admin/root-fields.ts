// Generated: change the metadata, not this file.
// From   role admin
// Slice  sha256:34f58b05

import {
  defineRole,
  deleteByPk,
  deleteRows,
  insertRow,
  insertRows,
  selectAggregate,
  selectByPk,
  selectGroups,
  selectMany,
  streamRows,
  updateByPk,
  updateMany,
  updateRows,
} from "engine/support";
import { note } from "./default/public.note.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const query = {
  note: selectMany(() => note),
  note_aggregate: selectAggregate(() => note),
  note_by_pk: selectByPk(() => note),
  note_group: selectGroups(() => note),
};

/** Root fields of role admin. */
export const role = defineRole({
  role: "admin",
  query,
  subscription: { ...query, note_stream: streamRows(() => note) },
  mutation: {
    delete_note: deleteRows(() => note),
    delete_note_by_pk: deleteByPk(() => note),
    insert_note: insertRows(() => note),
    insert_note_one: insertRow(() => note),
    update_note: updateRows(() => note),
    update_note_by_pk: updateByPk(() => note),
    update_note_many: updateMany(() => note),
  },
  tables: () => tables,
});
