// Generated: change the metadata, not this file.
// From   table public.book (source default): permissions of role editor
// Slice  sha256:51db7a1f

import { allowDelete, allowInsert, allowUpdate, nestedRow, tableView } from "engine/support";
import { book as table, columns, joins } from "../../../sources/default/public.book.js";
import { author } from "./public.author.js";

/** Insert permission of role editor on public.book, without a check. */
const insert = allowInsert({
  columns: [columns.author_id, columns.title, columns.weight, columns.code],
  nested: { author: nestedRow(joins.author, () => author) },
});

/** Update permission of role editor on public.book, for every row. */
const update = allowUpdate({ columns: [columns.title, columns.weight], hasCheck: true });

/** Delete permission of role editor on public.book, for every row. */
const remove = allowDelete({ backendOnly: true });

/** Select permission of role editor on public.book, for every row. */
export const book = tableView(table, {
  columns: [columns.id, columns.title, columns.secret],
  insert,
  update,
  delete: remove,
});
