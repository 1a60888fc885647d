// Generated: change the metadata, not this file.
// From   table dbo.author (source default): permissions of role clerk
// Slice  sha256:616a7822

import { type RowFilter, allowInsert, sql, tableView } from "engine/support";
import { author as table, columns } from "../../../sources/default/dbo.author.js";

/** Check of rows that role clerk inserts: {"name":{"_like":"A%"}} */
const insertCheck: RowFilter = (author) => sql`${author}.[name] like N'A%'`;

/** Insert permission of role clerk on dbo.author. */
const insert = allowInsert({ columns: [columns.name], check: insertCheck });

/** Write permissions of role clerk on dbo.author. */
export const author = tableView(table, { readable: false, insert });
