// Generated: change the metadata, not this file.
// From   table public.price (source default): role admin
// Slice  sha256:57b5b1f1

import { allowDelete, allowInsert, allowUpdate, tableView } from "engine/support";
import { columns, price as table } from "../../../sources/default/public.price.js";

/** Insert permission of role admin on public.price, without a check. */
const insert = allowInsert({ columns: [columns.product, columns.amount, columns.seen] });

/** Update permission of role admin on public.price, for every row. */
const update = allowUpdate({ columns: [columns.product, columns.amount, columns.seen] });

/** Delete permission of role admin on public.price, for every row. */
const remove = allowDelete();

/** Select permission of role admin on public.price, for every row. */
export const price = tableView(table, {
  columns: [columns.product, columns.amount, columns.seen],
  aggregations: true,
  insert,
  update,
  delete: remove,
});
