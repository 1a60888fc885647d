// Generated: change the metadata, not this file.
// From   role clerk
// Slice  sha256:dcb1264b

import { defineRole, selectByPk, selectMany, streamRows } from "engine/support";
import { author } from "./default/public.author.js";
import { book } from "./default/public.book.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const query = {
  author: selectMany(() => author),
  author_by_pk: selectByPk(() => author),
  book: selectMany(() => book),
  book_by_pk: selectByPk(() => book),
};

/** Root fields of role clerk. */
export const role = defineRole({
  role: "clerk",
  query,
  subscription: {
    ...query,
    author_stream: streamRows(() => author),
    book_stream: streamRows(() => book),
  },
  tables: () => tables,
});
