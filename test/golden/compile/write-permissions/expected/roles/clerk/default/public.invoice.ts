// Generated: change the metadata, not this file.
// From   table public.invoice (source default): permissions of role clerk
// Slice  sha256:0f586d3b

import {
  type RowFilter,
  allowInsert,
  allowUpdate,
  constant,
  nestedRow,
  preset,
  sql,
  tableView,
  validateInput,
} from "engine/support";
import { columns, invoice as table, joins } from "../../../sources/default/public.invoice.js";
import { client } from "./public.client.js";

/** Rows that role clerk may read: {"client":{"tenant":{"_eq":"X-Engine-Tenant"}}} */
const visible: RowFilter = (invoice, session) => sql`
  exists (
    select 1 from "public"."client" client_1
    where client_1."id" = ${invoice}."client_id"
    and client_1."tenant" = ${session("x-engine-tenant")}::int4
  )`;

/** Check of rows that role clerk inserts: {"amount":{"_gt":0}} */
const insertCheck: RowFilter = (invoice) => sql`${invoice}."amount" > '0'::numeric`;

/** Insert permission of role clerk on public.invoice. */
const insert = allowInsert({
  columns: [columns.client_id, columns.amount, columns.notes, columns.updated_at],
  check: insertCheck,
  nested: { client: nestedRow(joins.client, () => client) },
});

/** Rows that role clerk may update: {"client":{"tenant":{"_eq":"X-Engine-Tenant"}}} */
const updatable: RowFilter = (invoice, session) => sql`
  exists (
    select 1 from "public"."client" client_1
    where client_1."id" = ${invoice}."client_id"
    and client_1."tenant" = ${session("x-engine-tenant")}::int4
  )`;

/** Check of rows after an update by role clerk: {"amount":{"_lte":1000}} */
const updateCheck: RowFilter = (invoice) => sql`${invoice}."amount" <= '1000'::numeric`;

/**
 * Update permission of role clerk on public.invoice.
 * Clerks correct amounts.
 */
const update = allowUpdate({
  columns: [columns.amount, columns.notes],
  presets: [preset(`"updated_at"`, () => sql`${constant("NOW()")}::timestamptz`)],
  filter: updatable,
  check: updateCheck,
  validation: validateInput("https://checks.example.com/invoice"),
});

/** Select permission of role clerk on public.invoice. */
export const invoice = tableView(table, {
  columns: [columns.id, columns.amount],
  visible,
  insert,
  update,
});
