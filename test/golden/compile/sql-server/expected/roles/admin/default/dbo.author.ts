// Generated: change the metadata, not this file.
// From   table dbo.author (source default): role admin
// Slice  sha256:f560a205

import {
  allowDelete,
  allowInsert,
  allowUpdate,
  nestedRows,
  tableView,
  toMany,
  toRows,
} from "engine/support";
import {
  author as table,
  columns,
  computedFields,
  joins,
} from "../../../sources/default/dbo.author.js";
import { book } from "./dbo.book.js";

/** Insert permission of role admin on dbo.author, without a check. */
const insert = allowInsert({
  columns: [columns.id, columns.name],
  nested: { books: nestedRows(joins.books, () => book) },
});

/** Update permission of role admin on dbo.author, for every row. */
const update = allowUpdate({ columns: [columns.id, columns.name] });

/** Delete permission of role admin on dbo.author, for every row. */
const remove = allowDelete();

/** Select permission of role admin on dbo.author, for every row. */
export const author = tableView(table, {
  columns: [columns.id, columns.name],
  relationships: { books: toMany(joins.books, () => book, { aggregations: true }) },
  computedFields: { own_books: toRows(computedFields.own_books, () => book) },
  aggregations: true,
  insert,
  update,
  delete: remove,
});
