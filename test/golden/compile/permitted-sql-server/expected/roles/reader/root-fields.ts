// Generated: change the metadata, not this file.
// From   role reader
// Slice  sha256:bfc0b93f

import {
  defineRole,
  deleteByPk,
  deleteRows,
  selectByPk,
  selectMany,
  streamRows,
} from "engine/support";
import { author } from "./default/dbo.author.js";
import { book } from "./default/dbo.book.js";
import { loan } from "./default/dbo.loan.js";
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
  mutation: { delete_loan: deleteRows(() => loan), delete_loan_by_pk: deleteByPk(() => loan) },
  tables: () => tables,
});
