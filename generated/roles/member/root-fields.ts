// Generated: change the metadata, not this file.
// From   role member
// Slice  sha256:eb3b8bef

import {
  defineRole,
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
import { branch } from "./default/public.branch.js";
import { copy } from "./default/public.copy.js";
import { loan } from "./default/public.loan.js";
import { member } from "./default/public.member.js";
import { review } from "./default/public.review.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const query = {
  author: selectMany(() => author),
  author_by_pk: selectByPk(() => author),
  book: selectMany(() => book),
  book_aggregate: selectAggregate(() => book),
  book_by_pk: selectByPk(() => book),
  book_group: selectGroups(() => book),
  branch: selectMany(() => branch),
  branch_by_pk: selectByPk(() => branch),
  copy: selectMany(() => copy),
  copy_by_pk: selectByPk(() => copy),
  loan: selectMany(() => loan),
  loan_aggregate: selectAggregate(() => loan),
  loan_by_pk: selectByPk(() => loan),
  loan_group: selectGroups(() => loan),
  member: selectMany(() => member),
  member_by_pk: selectByPk(() => member),
  review: selectMany(() => review),
  review_aggregate: selectAggregate(() => review),
  review_group: selectGroups(() => review),
};

/** Root fields of role member. */
export const role = defineRole({
  role: "member",
  query,
  subscription: {
    ...query,
    author_stream: streamRows(() => author),
    book_stream: streamRows(() => book),
    branch_stream: streamRows(() => branch),
    copy_stream: streamRows(() => copy),
    loan_stream: streamRows(() => loan),
    member_stream: streamRows(() => member),
    review_stream: streamRows(() => review),
  },
  mutation: {
    update_loan: updateRows(() => loan),
    update_loan_by_pk: updateByPk(() => loan),
    update_loan_many: updateMany(() => loan),
  },
  tables: () => tables,
});
