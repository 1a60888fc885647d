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

/** What role admin may insert into public.customer, without a check. */
const insert = allowInsert({
  columns: [columns.id, columns.name, columns.region, columns.tags, columns.settings],
  nested: { purchases: nestedRows(joins.purchases, () => purchase) },
});

/** What role admin may change in public.customer, in every row. */
const update = allowUpdate({
  columns: [columns.id, columns.name, columns.region, columns.tags, columns.settings],
});

/** What role admin may delete from public.customer, every row. */
const remove = allowDelete();

/** What role admin may read of public.customer, in every row. */
export const customer = tableView(table, {
  columns: [columns.id, columns.name, columns.region, columns.tags, columns.settings],
  relationships: { purchases: toMany(joins.purchases, () => purchase, { aggregations: true }) },
  aggregations: true,
  insert,
  update,
  delete: remove,
});
