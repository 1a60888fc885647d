// Generated: change the metadata, not this file.
// From   table Shop.Order (source Main Shop): role admin
// Slice  sha256:fd2a061a

import { allowDelete, allowInsert, allowUpdate, tableView } from "engine/support";
import { Order as table, columns } from "../../../sources/main-shop=21/shop=1.order=1.js";

/** What role admin may insert into Shop.Order, without a check. */
const insert = allowInsert({ columns: [columns.id] });

/** What role admin may change in Shop.Order, in every row. */
const update = allowUpdate({ columns: [columns.id] });

/** What role admin may delete from Shop.Order, every row. */
const remove = allowDelete();

/** What role admin may read of Shop.Order, in every row. */
export const Order = tableView(table, {
  columns: [columns.id],
  aggregations: true,
  insert,
  update,
  delete: remove,
});
