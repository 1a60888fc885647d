// Generated: change the metadata, not this file.
// From   table public.review (source default): permissions of role member
// Slice  sha256:7405af0c

import { type RowFilter, sql, tableView, toOne } from "engine/support";
import { columns, joins, review as table } from "../../../sources/default/public.review.js";
import { book } from "./public.book.js";
import { member } from "./public.member.js";

/**
 * Rows that role member may read: {"_or":[{"hidden":{"_eq":false}},
 * {"member_id":{"_eq":"X-Engine-User-Id"}}]}
 */
const visible: RowFilter = (review, session) => sql`
  ${review}."hidden" = 'false'::bool
  or ${review}."member_id" = ${session("x-engine-user-id")}::uuid`;

/**
 * Select permission of role member on public.review.
 * What is not hidden, and one's own.
 */
export const review = tableView(table, {
  columns: [columns.book_id, columns.stars, columns.comment],
  relationships: {
    book: toOne(joins.book, () => book, { required: true }),
    member: toOne(joins.member, () => member),
  },
  visible,
  aggregations: true,
});
