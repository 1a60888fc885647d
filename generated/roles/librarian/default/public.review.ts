// Generated: change the metadata, not this file.
// From   table public.review (source default): permissions of role librarian
// Slice  sha256:b18703b4

import { tableView, toOne } from "engine/support";
import { columns, joins, review as table } from "../../../sources/default/public.review.js";
import { book } from "./public.book.js";
import { member } from "./public.member.js";

/** Select permission of role librarian on public.review, for every row. */
export const review = tableView(table, {
  columns: [columns.book_id, columns.member_id, columns.stars, columns.comment, columns.hidden],
  relationships: {
    book: toOne(joins.book, () => book, { required: true }),
    member: toOne(joins.member, () => member, { required: true }),
  },
  aggregations: true,
});
