// Generated: change the metadata, not this file.
// From   role librarian
// Slice  sha256:4984f2e2

import {
  defineRole,
  insertRow,
  insertRows,
  selectAggregate,
  selectByPk,
  selectGroups,
  selectMany,
  streamRows,
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
  author_group: selectGroups(() => author),
  book: selectMany(() => book),
  book_aggregate: selectAggregate(() => book),
  book_by_pk: selectByPk(() => book),
  book_group: selectGroups(() => book),
  branch: selectMany(() => branch),
  branch_by_pk: selectByPk(() => branch),
  copy: selectMany(() => copy),
  copy_aggregate: selectAggregate(() => copy),
  copy_by_pk: selectByPk(() => copy),
  copy_group: selectGroups(() => copy),
  loan: selectMany(() => loan),
  loan_aggregate: selectAggregate(() => loan),
  loan_by_pk: selectByPk(() => loan),
  loan_group: selectGroups(() => loan),
  member: selectMany(() => member),
  member_aggregate: selectAggregate(() => member),
  member_by_pk: selectByPk(() => member),
  member_group: selectGroups(() => member),
  open_loan: selectMany(() => open_loan),
  open_loan_aggregate: selectAggregate(() => open_loan),
  open_loan_group: selectGroups(() => open_loan),
  review: selectMany(() => review),
  review_aggregate: selectAggregate(() => review),
  review_by_pk: selectByPk(() => review),
  review_group: selectGroups(() => review),
};

/** Root fields of role librarian. */
export const role = defineRole({
  role: "librarian",
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
  mutation: { insert_loan: insertRows(() => loan), insert_loan_one: insertRow(() => loan) },
  tables: () => tables,
});
