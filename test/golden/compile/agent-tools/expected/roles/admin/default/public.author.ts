// Generated: change the metadata, not this file.
// From   table public.author (source default): role admin
// Slice  sha256:621862ac

import {
  allowDelete,
  allowInsert,
  allowUpdate,
  nestedRows,
  tableView,
  toMany,
} from "engine/support";
import { author as table, columns, joins } from "../../../sources/default/public.author.js";
import { book } from "./public.book.js";

/** Insert permission of role admin on public.author, without a check. */
const insert = allowInsert({
  columns: [columns.id, columns.name],
  nested: { books: nestedRows(joins.books, () => book) },
});

/** Update permission of role admin on public.author, for every row. */
const update = allowUpdate({ columns: [columns.id, columns.name] });

/** Delete permission of role admin on public.author, for every row. */
const remove = allowDelete();

/** Select permission of role admin on public.author, for every row. */
export const author = tableView(table, {
  columns: [columns.id, columns.name],
  relationships: { books: toMany(joins.books, () => book, { aggregations: true }) },
  aggregations: true,
  insert,
  update,
  delete: remove,
});
