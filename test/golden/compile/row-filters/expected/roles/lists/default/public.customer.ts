// Generated: change the metadata, not this file.
// From   table public.customer (source default): permissions of role lists
// Slice  sha256:1964d091

import { type RowFilter, sql, tableView } from "engine/support";
import { columns, customer as table } from "../../../sources/default/public.customer.js";

/**
 * Rows that role lists may read: {"region":{"_in":"X-Engine-Regions"},"tags":{"_contains":["a",
 * "b"]}}
 */
const visible: RowFilter = (customer, session) => sql`
  ${customer}."region" = any(${session("x-engine-regions")}::text[])
  and ${customer}."tags" @> '{a,b}'::text[]`;

/** Select permission of role lists on public.customer. */
export const customer = tableView(table, { columns: [columns.id], visible });
