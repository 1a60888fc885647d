// Generated: change the metadata, not this file.
// From   role counter
// Slice  sha256:289bf58c

import { defineRole, selectAggregate, selectMany } from "engine/support";
import { note } from "./default/public.note.js";

/** What role counter may ask. */
export const role = defineRole({
  role: "counter",
  query: { note: selectMany(() => note), note_aggregate: selectAggregate(() => note) },
  tables: { default: { public: { note: () => note } } },
});
