// Generated: change the metadata, not this file.
// From   table Shop.order (source Main Shop): role admin
// Slice  sha256:c59d2e1a

import { allowDelete, allowInsert, allowUpdate, tableView } from "engine/support";
import { columns, order as table } from "../../../sources/main-shop=21/shop=1.order.js";

/** What role admin may insert into Shop.order, without a check. */
const insert = allowInsert({ columns: [columns.id, columns.kind, columns.size] });

/** What role admin may change in Shop.order, in every row. */
const update = allowUpdate({ columns: [columns.id, columns.kind, columns.size] });

/** What role admin may delete from Shop.order, every row. */
const remove = allowDelete();

/** What role admin may read of Shop.order, in every row. */
export const order = tableView(table, {
  columns: [columns.id, columns.kind, columns.size],
  aggregations: true,
  insert,
  update,
  delete: remove,
});
