// Generated: change the metadata, not this file.
// From   table dbo.book (source default): permissions of role clerk
// Slice  sha256:90a0ef23

import { type RowFilter, allowDelete, allowUpdate, preset, sql, tableView } from "engine/support";
import { book as table, columns } from "../../../sources/default/dbo.book.js";

/** Rows that role clerk may update: {"author":{"name":{"_eq":"X-Engine-Name"}}} */
const updatable: RowFilter = (book, session) => sql`
  exists (
    select 1 from [dbo].[author] author_1
    where author_1.[id] = ${book}.[author_id]
    and author_1.[name] = ${session("x-engine-name")}
  )`;

/** Update permission of role clerk on dbo.book. */
const update = allowUpdate({
  columns: [columns.title],
  presets: [preset(`[price]`, () => sql`cast(N'1.50' as decimal(38, 12))`)],
  filter: updatable,
});

/** Rows that role clerk may delete: {"price":{"_eq":0}} */
const deletable: RowFilter = (book) => sql`${book}.[price] = cast(N'0' as decimal(38, 12))`;

/** Delete permission of role clerk on dbo.book. */
const remove = allowDelete({ filter: deletable });

/** Select permission of role clerk on dbo.book, for every row. */
export const book = tableView(table, { columns: [columns.id], update, delete: remove });
