// Generated: change the metadata, not this file.
// From   table public.customer (source default): permissions of role nulls
// Slice  sha256:2c43328f

import { type RowFilter, sql, tableView } from "engine/support";
import { columns, customer as table } from "../../../sources/default/public.customer.js";

/**
 * Rows that role nulls may read: {"_and":[{"region":{"_is_null":true}},
 * {"_not":{"name":{"_eq":""}}}]}
 */
const visible: RowFilter = (customer) =>
  sql`${customer}."region" is null and not (${customer}."name" = ''::text)`;

/** Select permission of role nulls on public.customer. */
export const customer = tableView(table, { columns: [columns.id], visible });
