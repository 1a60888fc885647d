// Generated: change the metadata, not this file.
// From   role editor
// Slice  sha256:d78c7e15

import {
  defineRole,
  deleteByPk,
  deleteRows,
  insertRow,
  insertRows,
  selectByPk,
  selectMany,
  streamRows,
  updateByPk,
  updateMany,
  updateRows,
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

/** Root fields of role editor. */
export const role = defineRole({
  role: "editor",
  query,
  subscription: {
    ...query,
    author_stream: streamRows(() => author),
    book_stream: streamRows(() => book),
    loan_stream: streamRows(() => loan),
  },
  mutation: {
    delete_loan: deleteRows(() => loan),
    delete_loan_by_pk: deleteByPk(() => loan),
    insert_book: insertRows(() => book),
    insert_book_one: insertRow(() => book),
    update_book: updateRows(() => book),
    update_book_by_pk: updateByPk(() => book),
    update_book_many: updateMany(() => book),
  },
  tables: () => tables,
});
