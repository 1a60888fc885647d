// Generated: change the metadata, not this file.
// From   table dbo.book (source default): role admin
// Slice  sha256:6a520f01

import { allowDelete, allowInsert, allowUpdate, nestedRow, tableView, toOne } from "engine/support";
import { book as table, columns, joins } from "../../../sources/default/dbo.book.js";
import { author } from "./dbo.author.js";

/** Insert permission of role admin on dbo.book, without a check. */
const insert = allowInsert({
  columns: [
    columns.title,
    columns.price,
    columns.weight,
    columns.is_lent,
    columns.published_on,
    columns.added_at,
    columns.code,
    columns.secret,
    columns.author_id,
  ],
  nested: { author: nestedRow(joins.author, () => author) },
});

/** Update permission of role admin on dbo.book, for every row. */
const update = allowUpdate({
  columns: [
    columns.title,
    columns.price,
    columns.weight,
    columns.is_lent,
    columns.published_on,
    columns.added_at,
    columns.code,
    columns.secret,
    columns.author_id,
  ],
});

/** Delete permission of role admin on dbo.book, for every row. */
const remove = allowDelete();

/** Select permission of role admin on dbo.book, for every row. */
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
    columns.secret,
    columns.author_id,
  ],
  relationships: { author: toOne(joins.author, () => author, { required: true }) },
  aggregations: true,
  insert,
  update,
  delete: remove,
});
