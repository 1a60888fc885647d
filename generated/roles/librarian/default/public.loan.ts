// Generated: change the metadata, not this file.
// From   table public.loan (source default): permissions of role librarian
// Slice  sha256:ec4628a8

import { type RowFilter, allowInsert, sql, tableView, toOne } from "engine/support";
import { columns, joins, loan as table } from "../../../sources/default/public.loan.js";
import { copy } from "./public.copy.js";
import { member } from "./public.member.js";

/**
 * Check of rows that role librarian inserts:
 * {"copy":{"_not":{"loans":{"returned_on":{"_is_null":true}}}}}
 */
const insertCheck: RowFilter = (loan) => sql`
  exists (
    select 1 from "public"."copy" copy_1
    where copy_1."id" = ${loan}."copy_id"
    and not (
      exists (
        select 1 from "public"."loan" loan_1
        where loan_1."copy_id" = copy_1."id"
        and loan_1."returned_on" is null
      )
    )
  )`;

/** Insert permission of role librarian on public.loan. */
const insert = allowInsert({
  columns: [columns.copy_id, columns.member_id, columns.due_on],
  check: insertCheck,
});

/** Select permission of role librarian on public.loan, for every row. */
export const loan = tableView(table, {
  columns: [
    columns.id,
    columns.copy_id,
    columns.member_id,
    columns.lent_on,
    columns.due_on,
    columns.returned_on,
    columns.renewals,
  ],
  relationships: {
    copy: toOne(joins.copy, () => copy, { required: true }),
    member: toOne(joins.member, () => member, { required: true }),
  },
  aggregations: true,
  insert,
});
