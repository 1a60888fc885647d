// Generated: change the metadata, not this file.
// From   table public.price (source default): role admin
// Slice  sha256:57b5b1f1

import { allowDelete, allowInsert, allowUpdate, tableView } from "engine/support";
import { columns, price as table } from "../../../sources/default/public.price.js";

/** What role admin may insert into public.price, without a check. */
const insert = allowInsert({ columns: [columns.product, columns.amount, columns.seen] });

/** What role admin may change in public.price, in every row. */
const update = allowUpdate({ columns: [columns.product, columns.amount, columns.seen] });

/** What role admin may delete from public.price, every row. */
const remove = allowDelete();

/** What role admin may read of public.price, in every row. */
export const price = tableView(table, {
  columns: [columns.product, columns.amount, columns.seen],
  aggregations: true,
  insert,
  update,
  delete: remove,
});
