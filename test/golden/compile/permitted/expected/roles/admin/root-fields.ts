// Generated: change the metadata, not this file.
// From   role admin
// Slice  sha256:0238a9cf

import {
  defineRole,
  deleteByPk,
  deleteRows,
  insertRow,
  insertRows,
  selectAggregate,
  selectByPk,
  selectGroups,
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
  author_aggregate: selectAggregate(() => author),
  author_by_pk: selectByPk(() => author),
  author_group: selectGroups(() => author),
  book: selectMany(() => book),
  book_aggregate: selectAggregate(() => book),
  book_by_pk: selectByPk(() => book),
  book_group: selectGroups(() => book),
  loan: selectMany(() => loan),
  loan_aggregate: selectAggregate(() => loan),
  loan_by_pk: selectByPk(() => loan),
  loan_group: selectGroups(() => loan),
};

/** Root fields of role admin. */
export const role = defineRole({
  role: "admin",
  query,
  subscription: {
    ...query,
    author_stream: streamRows(() => author),
    book_stream: streamRows(() => book),
    loan_stream: streamRows(() => loan),
  },
  mutation: {
    delete_author: deleteRows(() => author),
    delete_author_by_pk: deleteByPk(() => author),
    delete_book: deleteRows(() => book),
    delete_book_by_pk: deleteByPk(() => book),
    delete_loan: deleteRows(() => loan),
    delete_loan_by_pk: deleteByPk(() => loan),
    insert_author: insertRows(() => author),
    insert_author_one: insertRow(() => author),
    insert_book: insertRows(() => book),
    insert_book_one: insertRow(() => book),
    insert_loan: insertRows(() => loan),
    insert_loan_one: insertRow(() => loan),
    update_author: updateRows(() => author),
    update_author_by_pk: updateByPk(() => author),
    update_author_many: updateMany(() => author),
    update_book: updateRows(() => book),
    update_book_by_pk: updateByPk(() => book),
    update_book_many: updateMany(() => book),
    update_loan: updateRows(() => loan),
    update_loan_by_pk: updateByPk(() => loan),
    update_loan_many: updateMany(() => loan),
  },
  tables: () => tables,
});
