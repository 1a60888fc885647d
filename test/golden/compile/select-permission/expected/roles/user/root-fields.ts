// Generated: change the metadata, not this file.
// From   role user
// Slice  sha256:b642bdec

import { defineRole, selectByPk, selectMany, streamRows } from "engine/support";
import { note } from "./default/public.note.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const query = { note: selectMany(() => note), note_by_pk: selectByPk(() => note) };

/** Root fields of role user. */
export const role = defineRole({
  role: "user",
  query,
  subscription: { ...query, note_stream: streamRows(() => note) },
  tables: () => tables,
});
