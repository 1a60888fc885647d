// Generated: change the metadata, not this file.
// From   table Shop.Order (source Main Shop): role admin
// Slice  sha256:fd2a061a

import { allowDelete, allowInsert, allowUpdate, tableView } from "engine/support";
import { Order as table, columns } from "../../../sources/main-shop+21/shop+1.order+1.js";

/** Insert permission of role admin on Shop.Order, without a check. */
const insert = allowInsert({ columns: [columns.id] });

/** Update permission of role admin on Shop.Order, for every row. */
const update = allowUpdate({ columns: [columns.id] });

/** Delete permission of role admin on Shop.Order, for every row. */
const remove = allowDelete();

/** Select permission of role admin on Shop.Order, for every row. */
export const Order = tableView(table, {
  columns: [columns.id],
  aggregations: true,
  insert,
  update,
  delete: remove,
});
