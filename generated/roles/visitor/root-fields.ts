// Generated: change the metadata, not this file.
// From   role visitor
// Slice  sha256:3e9a37da

import { defineRole, selectByPk, selectMany, streamRows } from "engine/support";
import { author } from "./default/public.author.js";
import { book } from "./default/public.book.js";
import { branch } from "./default/public.branch.js";
import { copy } from "./default/public.copy.js";
import { review } from "./default/public.review.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const query = {
  author: selectMany(() => author),
  author_by_pk: selectByPk(() => author),
  book: selectMany(() => book),
  book_by_pk: selectByPk(() => book),
  branch: selectMany(() => branch),
  branch_by_pk: selectByPk(() => branch),
  copy: selectMany(() => copy),
  copy_by_pk: selectByPk(() => copy),
  review: selectMany(() => review),
};

/** Root fields of role visitor. */
export const role = defineRole({
  role: "visitor",
  query,
  subscription: {
    ...query,
    author_stream: streamRows(() => author),
    book_stream: streamRows(() => book),
    branch_stream: streamRows(() => branch),
    copy_stream: streamRows(() => copy),
    review_stream: streamRows(() => review),
  },
  tables: () => tables,
});
