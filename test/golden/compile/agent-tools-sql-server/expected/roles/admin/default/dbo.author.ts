// Generated: change the metadata, not this file.
// From   table dbo.author (source default): role admin
// Slice  sha256:e8cc317a

import {
  allowDelete,
  allowInsert,
  allowUpdate,
  nestedRows,
  tableView,
  toMany,
} from "engine/support";
import { author as table, columns, joins } from "../../../sources/default/dbo.author.js";
import { book } from "./dbo.book.js";

/** Insert permission of role admin on dbo.author, without a check. */
const insert = allowInsert({
  columns: [columns.name],
  nested: { books: nestedRows(joins.books, () => book) },
});

/** Update permission of role admin on dbo.author, for every row. */
const update = allowUpdate({ columns: [columns.name] });

/** Delete permission of role admin on dbo.author, for every row. */
const remove = allowDelete();

/** Select permission of role admin on dbo.author, for every row. */
export const author = tableView(table, {
  columns: [columns.id, columns.name],
  relationships: { books: toMany(joins.books, () => book, { aggregations: true }) },
  aggregations: true,
  insert,
  update,
  delete: remove,
});
