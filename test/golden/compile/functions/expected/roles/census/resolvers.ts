// Generated: change the metadata, not this file.
// From   role census
// Slice  sha256:269579a6

import { defineRole, selectAggregate, selectByPk, selectMany } from "engine/support";
import { author } from "./default/public.author.js";

/** What role census may ask. */
export const role = defineRole({
  role: "census",
  query: {
    author: selectMany(() => author),
    author_aggregate: selectAggregate(() => author),
    author_by_pk: selectByPk(() => author),
  },
  tables: { default: { public: { author: () => author } } },
});
