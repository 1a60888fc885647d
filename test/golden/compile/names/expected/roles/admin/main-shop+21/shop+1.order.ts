// Generated: change the metadata, not this file.
// From   table Shop.order (source Main Shop): role admin
// Slice  sha256:c59d2e1a

import { allowDelete, allowInsert, allowUpdate, tableView } from "engine/support";
import { columns, order as table } from "../../../sources/main-shop+21/shop+1.order.js";

/** Insert permission of role admin on Shop.order, without a check. */
const insert = allowInsert({ columns: [columns.id, columns.kind, columns.size] });

/** Update permission of role admin on Shop.order, for every row. */
const update = allowUpdate({ columns: [columns.id, columns.kind, columns.size] });

/** Delete permission of role admin on Shop.order, for every row. */
const remove = allowDelete();

/** Select permission of role admin on Shop.order, for every row. */
export const order = tableView(table, {
  columns: [columns.id, columns.kind, columns.size],
  aggregations: true,
  insert,
  update,
  delete: remove,
});
