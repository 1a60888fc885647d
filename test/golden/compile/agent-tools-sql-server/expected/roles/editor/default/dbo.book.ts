// Generated: change the metadata, not this file.
// From   table dbo.book (source default): permissions of role editor
// Slice  sha256:fa6df049

import {
  type RowFilter,
  allowDelete,
  allowInsert,
  allowUpdate,
  sql,
  tableView,
} from "engine/support";
import { book as table, columns } from "../../../sources/default/dbo.book.js";

/** Check of rows that role editor inserts: {"weight":{"_gt":0}} */
const insertCheck: RowFilter = (book) => sql`${book}.[weight] > cast(N'0' as int)`;

/** Insert permission of role editor on dbo.book. */
const insert = allowInsert({
  columns: [
    columns.title,
    columns.weight,
    columns.is_lent,
    columns.added_at,
    columns.code,
    columns.author_id,
  ],
  check: insertCheck,
});

/** Rows that role editor may update: {"author_id":{"_eq":"X-Engine-Author-Id"}} */
const updatable: RowFilter = (book, session) =>
  sql`${book}.[author_id] = cast(${session("x-engine-author-id")} as int)`;

/** Update permission of role editor on dbo.book. */
const update = allowUpdate({
  columns: [columns.title, columns.weight],
  filter: updatable,
  hasCheck: true,
});

/** Delete permission of role editor on dbo.book, for every row. */
const remove = allowDelete({ backendOnly: true });

/** Select permission of role editor on dbo.book, for every row. */
export const book = tableView(table, {
  columns: [columns.id, columns.title, columns.secret],
  insert,
  update,
  delete: remove,
});
