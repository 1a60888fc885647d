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

/** What role admin may insert into public.client, without a check. */
const insert = allowInsert({
  columns: [columns.id, columns.name, columns.tenant, columns.created_by],
  nested: { invoices: nestedRows(joins.invoices, () => invoice) },
});

/** What role admin may change in public.client, in every row. */
const update = allowUpdate({
  columns: [columns.id, columns.name, columns.tenant, columns.created_by],
});

/** What role admin may delete from public.client, every row. */
const remove = allowDelete();

/** What role admin may read of public.client, in every row. */
export const client = tableView(table, {
  columns: [columns.id, columns.name, columns.tenant, columns.created_by],
  relationships: { invoices: toMany(joins.invoices, () => invoice, { aggregations: true }) },
  aggregations: true,
  insert,
  update,
  delete: remove,
});
