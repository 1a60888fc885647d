// Generated: change the metadata, not this file.
// From   table Shop.Order (source Main Shop): permissions of role Clerk
// Slice  sha256:23a2dcf5

import { tableView } from "engine/support";
import { Order as table, columns } from "../../../sources/main-shop+21/shop+1.order+1.js";

/** Select permission of role Clerk on Shop.Order, for every row. */
export const Order = tableView(table, { columns: [columns.id] });
