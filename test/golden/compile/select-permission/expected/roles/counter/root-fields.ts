// Generated: change the metadata, not this file.
// From   role counter
// Slice  sha256:5f235703

import { defineRole, selectAggregate, selectMany } from "engine/support";
import { note } from "./default/public.note.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const query = { note: selectMany(() => note), note_aggregate: selectAggregate(() => note) };

/** Root fields of role counter. */
export const role = defineRole({
  role: "counter",
  query,
  subscription: query,
  tables: () => tables,
});
