// Generated: change the metadata, not this file.
// From   role filtered
// Slice  sha256:2d37f2eb

import { defineRole, selectByPk, selectMany, streamRows } from "engine/support";
import { author } from "./default/public.author.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const query = { author: selectMany(() => author), author_by_pk: selectByPk(() => author) };

/** Root fields of role filtered. */
export const role = defineRole({
  role: "filtered",
  query,
  subscription: { ...query, author_stream: streamRows(() => author) },
  tables: () => tables,
});
