// Generated: change the metadata, not this file.
// From   table public.customer (source default): permissions of role constants
// Slice  sha256:7571fcf5

import { type RowFilter, sql, tableView } from "engine/support";
import { columns, customer as table } from "../../../sources/default/public.customer.js";

/**
 * Rows that role constants may read: {"region":{"_in":["north","o'hare"]},"name":{"_like":"A%\\"},
 * "settings":{"_contains":{"vip":true}}}
 */
const visible: RowFilter = (customer) => sql`
  ${customer}."region" = any('{north,"o''hare"}'::text[])
  and ${customer}."name" like E'A%\\\\'::text
  and ${customer}."settings" @> '{"vip":true}'::jsonb`;

/** Select permission of role constants on public.customer. */
export const customer = tableView(table, { columns: [columns.id], visible });
