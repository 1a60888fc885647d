// Generated: change the metadata, not this file.
// From   table public.loan (source default): permissions of role guest
// Slice  sha256:8da9013e

import { type RowFilter, sql, tableView } from "engine/support";
import { columns, loan as table } from "../../../sources/default/public.loan.js";

/**
 * Rows that role guest may read: {"book":{"_permitted":{"relationship":"author",
 * "operation":"select"}}}
 */
const visible: RowFilter = (loan) => sql`
  exists (
    select 1 from "public"."book" book_1
    where book_1."id" = ${loan}."book_id"
    and exists (
      select 1 from "public"."author" author_1
      where author_1."id" = book_1."author_id"
      and author_1."published" = 'true'::bool
    )
  )`;

/** Select permission of role guest on public.loan. */
export const loan = tableView(table, { columns: [columns.id], visible });
