// Generated: change the metadata, not this file.
// From   role user
// Slice  sha256:d25493c7

import { defineRole, selectByPk, selectMany } from "engine/support";
import { note } from "./default/public.note.js";

/** What role user may ask. */
export const role = defineRole({
  role: "user",
  query: { note: selectMany(() => note), note_by_pk: selectByPk(() => note) },
  tables: { default: { public: { note: () => note } } },
});
