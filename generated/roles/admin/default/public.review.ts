// Generated: change the metadata, not this file.
// From   table public.review (source default): role admin
// Slice  sha256:4e9298bd

import { allowDelete, allowInsert, allowUpdate, nestedRow, tableView, toOne } from "engine/support";
import { columns, joins, review as table } from "../../../sources/default/public.review.js";
import { book } from "./public.book.js";
import { member } from "./public.member.js";

/** Insert permission of role admin on public.review, without a check. */
const insert = allowInsert({
  columns: [columns.book_id, columns.member_id, columns.stars, columns.comment, columns.hidden],
  nested: {
    book: nestedRow(joins.book, () => book),
    member: nestedRow(joins.member, () => member),
  },
});

/** Update permission of role admin on public.review, for every row. */
const update = allowUpdate({
  columns: [columns.book_id, columns.member_id, columns.stars, columns.comment, columns.hidden],
});

/** Delete permission of role admin on public.review, for every row. */
const remove = allowDelete();

/** Select permission of role admin on public.review, for every row. */
export const review = tableView(table, {
  columns: [columns.book_id, columns.member_id, columns.stars, columns.comment, columns.hidden],
  relationships: {
    book: toOne(joins.book, () => book, { required: true }),
    member: toOne(joins.member, () => member, { required: true }),
  },
  aggregations: true,
  insert,
  update,
  delete: remove,
});
