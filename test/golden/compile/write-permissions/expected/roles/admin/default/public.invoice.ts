// Generated: change the metadata, not this file.
// From   table public.invoice (source default): role admin
// Slice  sha256:49d64b53

import { allowDelete, allowInsert, allowUpdate, nestedRow, tableView, toOne } from "engine/support";
import { columns, invoice as table, joins } from "../../../sources/default/public.invoice.js";
import { client } from "./public.client.js";

/** Insert permission of role admin on public.invoice, without a check. */
const insert = allowInsert({
  columns: [columns.client_id, columns.amount, columns.notes, columns.updated_at],
  nested: { client: nestedRow(joins.client, () => client) },
});

/** Update permission of role admin on public.invoice, for every row. */
const update = allowUpdate({
  columns: [columns.client_id, columns.amount, columns.notes, columns.updated_at],
});

/** Delete permission of role admin on public.invoice, for every row. */
const remove = allowDelete();

/** Select permission of role admin on public.invoice, for every row. */
export const invoice = tableView(table, {
  columns: [
    columns.id,
    columns.client_id,
    columns.amount,
    columns.notes,
    columns.total,
    columns.updated_at,
  ],
  relationships: { client: toOne(joins.client, () => client, { required: true }) },
  aggregations: true,
  insert,
  update,
  delete: remove,
});
