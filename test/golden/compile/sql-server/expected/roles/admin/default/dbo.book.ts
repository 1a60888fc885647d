// Generated: change the metadata, not this file.
// From   table dbo.book (source default): role admin
// Slice  sha256:07785350

import { allowDelete, allowInsert, allowUpdate, nestedRow, tableView, toOne } from "engine/support";
import {
  book as table,
  columns,
  computedFields,
  joins,
} from "../../../sources/default/dbo.book.js";
import { author } from "./dbo.author.js";

/** Insert permission of role admin on dbo.book, without a check. */
const insert = allowInsert({
  columns: [columns.id, columns.title, columns.price, columns.author_id, columns.facts],
  nested: { author: nestedRow(joins.author, () => author) },
});

/** Update permission of role admin on dbo.book, for every row. */
const update = allowUpdate({
  columns: [columns.id, columns.title, columns.price, columns.author_id, columns.facts],
});

/** Delete permission of role admin on dbo.book, for every row. */
const remove = allowDelete();

/** Select permission of role admin on dbo.book, for every row. */
export const book = tableView(table, {
  columns: [columns.id, columns.title, columns.price, columns.author_id, columns.facts],
  relationships: { author: toOne(joins.author, () => author, { required: true }) },
  computedFields: { headline: computedFields.headline },
  aggregations: true,
  insert,
  update,
  delete: remove,
});
