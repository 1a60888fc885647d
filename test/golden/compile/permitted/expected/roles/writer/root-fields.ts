// Generated: change the metadata, not this file.
// From   role writer
// Slice  sha256:6c6ece3f

import {
  defineRole,
  insertRow,
  insertRows,
  selectByPk,
  selectMany,
  streamRows,
  updateByPk,
  updateMany,
  updateRows,
} from "engine/support";
import { author } from "./default/public.author.js";
import { book } from "./default/public.book.js";
import { loan } from "./default/public.loan.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const query = {
  author: selectMany(() => author),
  author_by_pk: selectByPk(() => author),
  book: selectMany(() => book),
  book_by_pk: selectByPk(() => book),
  loan: selectMany(() => loan),
  loan_by_pk: selectByPk(() => loan),
};

/** Root fields of role writer. */
export const role = defineRole({
  role: "writer",
  query,
  subscription: {
    ...query,
    author_stream: streamRows(() => author),
    book_stream: streamRows(() => book),
    loan_stream: streamRows(() => loan),
  },
  mutation: {
    insert_book: insertRows(() => book),
    insert_book_one: insertRow(() => book),
    update_book: updateRows(() => book),
    update_book_by_pk: updateByPk(() => book),
    update_book_many: updateMany(() => book),
  },
  tables: () => tables,
});
