// Generated: change the metadata, not this file.
// From   table public.book (source default): role admin
// Slice  sha256:501e6abe

import {
  allowDelete,
  allowInsert,
  allowUpdate,
  nestedRow,
  nestedRows,
  tableView,
  toMany,
  toOne,
} from "engine/support";
import { book as table, columns, joins } from "../../../sources/default/public.book.js";
import { author } from "./public.author.js";
import { loan } from "./public.loan.js";

/** Insert permission of role admin on public.book, without a check. */
const insert = allowInsert({
  columns: [columns.id, columns.title, columns.author_id, columns.sequel_of],
  nested: {
    author: nestedRow(joins.author, () => author),
    first: nestedRow(joins.first, () => book),
    loans: nestedRows(joins.loans, () => loan),
  },
});

/** Update permission of role admin on public.book, for every row. */
const update = allowUpdate({
  columns: [columns.id, columns.title, columns.author_id, columns.sequel_of],
});

/** Delete permission of role admin on public.book, for every row. */
const remove = allowDelete();

/** Select permission of role admin on public.book, for every row. */
export const book = tableView(table, {
  columns: [columns.id, columns.title, columns.author_id, columns.sequel_of],
  relationships: {
    author: toOne(joins.author, () => author, { required: true }),
    first: toOne(joins.first, () => book),
    loans: toMany(joins.loans, () => loan, { aggregations: true }),
  },
  aggregations: true,
  insert,
  update,
  delete: remove,
});
