// Generated: change the metadata, not this file.
// From   table public.client (source default): role admin
// Slice  sha256:5342b7b1

import {
  allowDelete,
  allowInsert,
  allowUpdate,
  nestedRows,
  tableView,
  toMany,
} from "engine/support";
import { client as table, columns, joins } from "../../../sources/default/public.client.js";
import { invoice } from "./public.invoice.js";

/** Insert permission of role admin on public.client, without a check. */
const insert = allowInsert({
  columns: [columns.id, columns.name, columns.tenant, columns.created_by],
  nested: { invoices: nestedRows(joins.invoices, () => invoice) },
});

/** Update permission of role admin on public.client, for every row. */
const update = allowUpdate({
  columns: [columns.id, columns.name, columns.tenant, columns.created_by],
});

/** Delete permission of role admin on public.client, for every row. */
const remove = allowDelete();

/** Select permission of role admin on public.client, for every row. */
export const client = tableView(table, {
  columns: [columns.id, columns.name, columns.tenant, columns.created_by],
  relationships: { invoices: toMany(joins.invoices, () => invoice, { aggregations: true }) },
  aggregations: true,
  insert,
  update,
  delete: remove,
});
