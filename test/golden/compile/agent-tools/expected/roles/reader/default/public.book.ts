// Generated: change the metadata, not this file.
// From   table public.book (source default): permissions of role reader
// Slice  sha256:56f121b7

import { tableView, toOne } from "engine/support";
import { book as table, columns, joins } from "../../../sources/default/public.book.js";
import { author } from "./public.author.js";

/** Select permission of role reader on public.book, for every row. */
export const book = tableView(table, {
  columns: [
    columns.id,
    columns.title,
    columns.price,
    columns.weight,
    columns.is_lent,
    columns.published_on,
    columns.added_at,
    columns.code,
    columns.tags,
    columns.binding,
    columns.notes,
  ],
  relationships: { author: toOne(joins.author, () => author, { required: true }) },
  aggregations: true,
});
