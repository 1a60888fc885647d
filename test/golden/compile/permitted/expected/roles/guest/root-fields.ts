// Generated: change the metadata, not this file.
// From   role guest
// Slice  sha256:55750aed

import { defineRole, selectByPk, selectMany, streamRows } from "engine/support";
import { author } from "./default/public.author.js";
import { loan } from "./default/public.loan.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const query = {
  author: selectMany(() => author),
  author_by_pk: selectByPk(() => author),
  loan: selectMany(() => loan),
  loan_by_pk: selectByPk(() => loan),
};

/** Root fields of role guest. */
export const role = defineRole({
  role: "guest",
  query,
  subscription: {
    ...query,
    author_stream: streamRows(() => author),
    loan_stream: streamRows(() => loan),
  },
  tables: () => tables,
});
