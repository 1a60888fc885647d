// Generated: change the metadata, not this file.
// From   table public.customer (source default): permissions of role agent
// Slice  sha256:4e3358d0

import { type RowFilter, constant, sql, tableView } from "engine/support";
import { columns, customer as table } from "../../../sources/default/public.customer.js";

/**
 * Rows that role agent may read: {"_exists":{"_table":{"schema":"public","name":"support_agent"},
 * "_where":{"id":{"_eq":"X-Engine-User-Id"},"region":{"_ceq":["$","region"]},
 * "valid_until":{"_gte":"today"}}}}
 */
const visible: RowFilter = (customer, session) => sql`
  exists (
    select 1 from "public"."support_agent" support_agent_1
    where support_agent_1."id" = ${session("x-engine-user-id")}::uuid
    and support_agent_1."region" = ${customer}."region"
    and support_agent_1."valid_until" >= ${constant("today")}::date
  )`;

/** Select permission of role agent on public.customer. */
export const customer = tableView(table, { columns: [columns.id, columns.name], visible });
