// Generated: change the metadata, not this file.
// From   role filtered
// Slice  sha256:421d831f

import { defineRole, selectByPk, selectMany } from "engine/support";
import { author } from "./default/public.author.js";

/** What role filtered may ask. */
export const role = defineRole({
  role: "filtered",
  query: { author: selectMany(() => author), author_by_pk: selectByPk(() => author) },
  tables: { default: { public: { author: () => author } } },
});
