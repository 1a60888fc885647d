// Generated: change the metadata, not this file.
// From   table dbo.book (source default): permissions of role reader
// Slice  sha256:da463616

import { type RowFilter, sql, tableView, toOne } from "engine/support";
import {
  book as table,
  columns,
  computedFields,
  joins,
} from "../../../sources/default/dbo.book.js";
import { author } from "./dbo.author.js";

/**
 * Rows that role reader may read: {"_or":[{"headline":{"_like":"E%"}},
 * {"facts":{"_has_key":"X-Engine-Tag"}}]}
 */
const visible: RowFilter = (book, session) => sql`
  [dbo].[headline](${book}.[title], ${book}.[price]) like N'E%'
  or case when ${book}.[facts] is null or ${session("x-engine-tag")} is null then null when exists (select 1 from openjson(concat(cast(N'[' as nvarchar(max)), ${book}.[facts], N']')) d0 cross apply openjson(case when d0.[type] > 3 then d0.[value] end) d1 where d0.[type] = 5 and concat(d1.[key], N'.') collate Latin1_General_100_BIN2 = concat(${session("x-engine-tag")}, N'.') collate Latin1_General_100_BIN2 or d0.[type] = 4 and d1.[type] = 1 and concat(d1.[value], N'.') collate Latin1_General_100_BIN2 = concat(${session("x-engine-tag")}, N'.') collate Latin1_General_100_BIN2) then 1 else 0 end = 1`;

/** Select permission of role reader on dbo.book. */
export const book = tableView(table, {
  columns: [columns.id, columns.title, columns.facts],
  relationships: { author: toOne(joins.author, () => author) },
  computedFields: { headline: computedFields.headline },
  visible,
  aggregations: true,
});
