// Generated: change the metadata, not this file.
// From   table Shop.order (source Main Shop): permissions of role clerk
// Slice  sha256:1f54ed6b

import { tableView } from "engine/support";
import { columns, order as table } from "../../../sources/main-shop+21/shop+1.order.js";

/** Select permission of role clerk on Shop.order, for every row. */
export const order = tableView(table, { columns: [columns.id] });
