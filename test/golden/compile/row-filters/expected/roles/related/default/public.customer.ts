// Generated: change the metadata, not this file.
// From   table public.customer (source default): permissions of role related
// Slice  sha256:58a4444f

import { type RowFilter, sql, tableView } from "engine/support";
import { columns, customer as table } from "../../../sources/default/public.customer.js";

/**
 * Rows that role related may read: {"purchases":{"_and":[{"total":{"_gt":100}},
 * {"customer":{"id":{"_ceq":["$","id"]}}}]}}
 */
const visible: RowFilter = (customer) => sql`
  exists (
    select 1 from "public"."purchase" purchase_1
    where purchase_1."customer_id" = ${customer}."id"
    and purchase_1."total" > '100'::numeric
    and exists (
      select 1 from "public"."customer" customer_1
      where customer_1."id" = purchase_1."customer_id"
      and customer_1."id" = ${customer}."id"
    )
  )`;

/** Select permission of role related on public.customer. */
export const customer = tableView(table, { columns: [columns.id], visible });
