// Generated: change the metadata, not this file.
// From   table public.book (source default): role admin
// Slice  sha256:eee8ccc3

import { allowDelete, allowInsert, allowUpdate, nestedRow, tableView, toOne } from "engine/support";
import { book as table, columns, joins } from "../../../sources/default/public.book.js";
import { author } from "./public.author.js";

/** Insert permission of role admin on public.book, without a check. */
const insert = allowInsert({
  columns: [
    columns.author_id,
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
    columns.secret,
  ],
  nested: { author: nestedRow(joins.author, () => author) },
});

/** Update permission of role admin on public.book, for every row. */
const update = allowUpdate({
  columns: [
    columns.author_id,
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
    columns.secret,
  ],
});

/** Delete permission of role admin on public.book, for every row. */
const remove = allowDelete();

/** Select permission of role admin on public.book, for every row. */
export const book = tableView(table, {
  columns: [
    columns.id,
    columns.author_id,
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
    columns.secret,
  ],
  relationships: { author: toOne(joins.author, () => author, { required: true }) },
  aggregations: true,
  insert,
  update,
  delete: remove,
});
