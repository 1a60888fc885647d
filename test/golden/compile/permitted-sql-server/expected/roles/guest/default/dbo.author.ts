// Generated: change the metadata, not this file.
// From   table dbo.author (source default): permissions of role guest
// Slice  sha256:6ac97181

import { type RowFilter, sql, tableView } from "engine/support";
import { author as table, columns } from "../../../sources/default/dbo.author.js";

/** Rows that role guest may read: {"published":{"_eq":true}} */
const visible: RowFilter = (author) => sql`${author}.[published] = cast(N'1' as bit)`;

/** Select permission of role guest on dbo.author. */
export const author = tableView(table, { columns: [columns.id], visible });
