// Generated: change the metadata, not this file.
// From   table public.customer (source default): role admin
// Slice  sha256:fb70f071

import {
  allowDelete,
  allowInsert,
  allowUpdate,
  nestedRows,
  tableView,
  toMany,
} from "engine/support";
import { columns, customer as table, joins } from "../../../sources/default/public.customer.js";
import { purchase } from "./public.purchase.js";

/** Insert permission of role admin on public.customer, without a check. */
const insert = allowInsert({
  columns: [columns.id, columns.name, columns.region, columns.tags, columns.settings],
  nested: { purchases: nestedRows(joins.purchases, () => purchase) },
});

/** Update permission of role admin on public.customer, for every row. */
const update = allowUpdate({
  columns: [columns.id, columns.name, columns.region, columns.tags, columns.settings],
});

/** Delete permission of role admin on public.customer, for every row. */
const remove = allowDelete();

/** Select permission of role admin on public.customer, for every row. */
export const customer = tableView(table, {
  columns: [columns.id, columns.name, columns.region, columns.tags, columns.settings],
  relationships: { purchases: toMany(joins.purchases, () => purchase, { aggregations: true }) },
  aggregations: true,
  insert,
  update,
  delete: remove,
});
