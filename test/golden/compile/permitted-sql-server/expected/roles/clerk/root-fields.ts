// Generated: change the metadata, not this file.
// From   role clerk
// Slice  sha256:51b6827e

import { defineRole, selectByPk, selectMany, streamRows } from "engine/support";
import { author } from "./default/dbo.author.js";
import { book } from "./default/dbo.book.js";
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
