// Generated: change the metadata, not this file.
// From   role auditor
// Slice  sha256:a52574c8

import { defineRole, selectAggregate } from "engine/support";
import { note } from "./default/public.note.js";

/** What role auditor may ask. */
export const role = defineRole({
  role: "auditor",
  query: { note_aggregate: selectAggregate(() => note) },
  tables: { default: { public: { note: () => note } } },
});
