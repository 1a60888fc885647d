// Generated: change the metadata, not this file.
// From   role admin
// Slice  sha256:6d703720

import {
  defineRole,
  deleteByPk,
  deleteRows,
  insertRow,
  insertRows,
  selectAggregate,
  selectByPk,
  selectMany,
  streamRows,
  updateByPk,
  updateMany,
  updateRows,
} from "engine/support";
import { author } from "./default/public.author.js";
import { book } from "./default/public.book.js";
import { branch } from "./default/public.branch.js";
import { copy } from "./default/public.copy.js";
import { loan } from "./default/public.loan.js";
import { member } from "./default/public.member.js";
import { open_loan } from "./default/public.open_loan.js";
import { review } from "./default/public.review.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const query = {
  author: selectMany(() => author),
  author_aggregate: selectAggregate(() => author),
  author_by_pk: selectByPk(() => author),
  book: selectMany(() => book),
  book_aggregate: selectAggregate(() => book),
  book_by_pk: selectByPk(() => book),
  branch: selectMany(() => branch),
  branch_aggregate: selectAggregate(() => branch),
  branch_by_pk: selectByPk(() => branch),
  copy: selectMany(() => copy),
  copy_aggregate: selectAggregate(() => copy),
  copy_by_pk: selectByPk(() => copy),
  loan: selectMany(() => loan),
  loan_aggregate: selectAggregate(() => loan),
  loan_by_pk: selectByPk(() => loan),
  member: selectMany(() => member),
  member_aggregate: selectAggregate(() => member),
  member_by_pk: selectByPk(() => member),
  open_loan: selectMany(() => open_loan),
  open_loan_aggregate: selectAggregate(() => open_loan),
  review: selectMany(() => review),
  review_aggregate: selectAggregate(() => review),
  review_by_pk: selectByPk(() => review),
};

/** Root fields of role admin. */
export const role = defineRole({
  role: "admin",
  query,
  subscription: {
    ...query,
    author_stream: streamRows(() => author),
    book_stream: streamRows(() => book),
    branch_stream: streamRows(() => branch),
    copy_stream: streamRows(() => copy),
    loan_stream: streamRows(() => loan),
    member_stream: streamRows(() => member),
    open_loan_stream: streamRows(() => open_loan),
    review_stream: streamRows(() => review),
  },
  mutation: {
    delete_author: deleteRows(() => author),
    delete_author_by_pk: deleteByPk(() => author),
    delete_book: deleteRows(() => book),
    delete_book_by_pk: deleteByPk(() => book),
    delete_branch: deleteRows(() => branch),
    delete_branch_by_pk: deleteByPk(() => branch),
    delete_copy: deleteRows(() => copy),
    delete_copy_by_pk: deleteByPk(() => copy),
    delete_loan: deleteRows(() => loan),
    delete_loan_by_pk: deleteByPk(() => loan),
    delete_member: deleteRows(() => member),
    delete_member_by_pk: deleteByPk(() => member),
    delete_open_loan: deleteRows(() => open_loan),
    delete_review: deleteRows(() => review),
    delete_review_by_pk: deleteByPk(() => review),
    insert_author: insertRows(() => author),
    insert_author_one: insertRow(() => author),
    insert_book: insertRows(() => book),
    insert_book_one: insertRow(() => book),
    insert_branch: insertRows(() => branch),
    insert_branch_one: insertRow(() => branch),
    insert_copy: insertRows(() => copy),
    insert_copy_one: insertRow(() => copy),
    insert_loan: insertRows(() => loan),
    insert_loan_one: insertRow(() => loan),
    insert_member: insertRows(() => member),
    insert_member_one: insertRow(() => member),
    insert_open_loan: insertRows(() => open_loan),
    insert_open_loan_one: insertRow(() => open_loan),
    insert_review: insertRows(() => review),
    insert_review_one: insertRow(() => review),
    update_author: updateRows(() => author),
    update_author_by_pk: updateByPk(() => author),
    update_author_many: updateMany(() => author),
    update_book: updateRows(() => book),
    update_book_by_pk: updateByPk(() => book),
    update_book_many: updateMany(() => book),
    update_branch: updateRows(() => branch),
    update_branch_by_pk: updateByPk(() => branch),
    update_branch_many: updateMany(() => branch),
    update_copy: updateRows(() => copy),
    update_copy_by_pk: updateByPk(() => copy),
    update_copy_many: updateMany(() => copy),
    update_loan: updateRows(() => loan),
    update_loan_by_pk: updateByPk(() => loan),
    update_loan_many: updateMany(() => loan),
    update_member: updateRows(() => member),
    update_member_by_pk: updateByPk(() => member),
    update_member_many: updateMany(() => member),
    update_open_loan: updateRows(() => open_loan),
    update_open_loan_many: updateMany(() => open_loan),
    update_review: updateRows(() => review),
    update_review_by_pk: updateByPk(() => review),
    update_review_many: updateMany(() => review),
  },
  tables: () => tables,
});
