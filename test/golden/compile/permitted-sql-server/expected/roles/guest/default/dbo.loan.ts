// Generated: change the metadata, not this file.
// From   table dbo.loan (source default): permissions of role guest
// Slice  sha256:66440df6

import { type RowFilter, sql, tableView } from "engine/support";
import { columns, loan as table } from "../../../sources/default/dbo.loan.js";

/**
 * Rows that role guest may read: {"book":{"_permitted":{"relationship":"author",
 * "operation":"select"}}}
 */
const visible: RowFilter = (loan) => sql`
  exists (
    select 1 from [dbo].[book] book_1
    where book_1.[id] = ${loan}.[book_id]
    and exists (
      select 1 from [dbo].[author] author_1
      where author_1.[id] = book_1.[author_id]
      and author_1.[published] = cast(N'1' as bit)
    )
  )`;

/** Select permission of role guest on dbo.loan. */
export const loan = tableView(table, { columns: [columns.id], visible });
