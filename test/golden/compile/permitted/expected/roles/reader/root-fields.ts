// Generated: change the metadata, not this file.
// From   role reader
// Slice  sha256:0bdaa5aa

import {
  defineRole,
  deleteByPk,
  deleteRows,
  selectByPk,
  selectMany,
  streamRows,
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

/** Root fields of role reader. */
export const role = defineRole({
  role: "reader",
  query,
  subscription: {
    ...query,
    author_stream: streamRows(() => author),
    book_stream: streamRows(() => book),
    loan_stream: streamRows(() => loan),
  },
  mutation: {
    delete_book: deleteRows(() => book),
    delete_book_by_pk: deleteByPk(() => book),
    delete_loan: deleteRows(() => loan),
    delete_loan_by_pk: deleteByPk(() => loan),
  },
  tables: () => tables,
});
