// Generated: change the metadata, not this file.
// From   table public.client (source default): permissions of role clerk
// Slice  sha256:7968b90f

import {
  type RowFilter,
  allowDelete,
  allowInsert,
  allowUpdate,
  nestedRows,
  preset,
  sql,
  tableView,
  validateInput,
} from "engine/support";
import { client as table, columns, joins } from "../../../sources/default/public.client.js";
import { invoice } from "./public.invoice.js";

/** Check of rows that role clerk inserts: {"tenant":{"_eq":"X-Engine-Tenant"}} */
const insertCheck: RowFilter = (client, session) =>
  sql`${client}."tenant" = ${session("x-engine-tenant")}::int4`;

/** Insert permission of role clerk on public.client. */
const insert = allowInsert({
  columns: [columns.id, columns.name, columns.tenant],
  presets: [preset(`"created_by"`, (session) => sql`${session("x-engine-user-id")}::text`)],
  check: insertCheck,
  nested: { invoices: nestedRows(joins.invoices, () => invoice) },
  validation: validateInput("https://checks.example.com/client/${`}", {
    headers: [
      { name: "x-key", valueFromEnv: "CHECK_KEY" },
      { name: "x-from", value: "clerk \"one\" */" },
    ],
    forwardClientHeaders: true,
    timeoutSeconds: 3,
  }),
});

/** Rows that role clerk may update: {"tenant":{"_eq":"X-Engine-Tenant"}} */
const updatable: RowFilter = (client, session) =>
  sql`${client}."tenant" = ${session("x-engine-tenant")}::int4`;

/** Update permission of role clerk on public.client. */
const update = allowUpdate({ columns: [columns.name], filter: updatable, hasCheck: true });

/** Rows that role clerk may delete: {"tenant":{"_eq":"X-Engine-Tenant"}} */
const deletable: RowFilter = (client, session) =>
  sql`${client}."tenant" = ${session("x-engine-tenant")}::int4`;

/** Delete permission of role clerk on public.client. */
const remove = allowDelete({
  filter: deletable,
  validation: validateInput("https://checks.example.com/{{CHECK_PATH}}"),
  backendOnly: true,
});

/** Write permissions of role clerk on public.client. */
export const client = tableView(table, { readable: false, insert, update, delete: remove });
