// Generated: change the metadata, not this file.
// From   table public.orders (source shop): permissions of role guest
// Slice  sha256:66366acf

import { tableView } from "engine/support";
import { columns, orders as table } from "../../../sources/shop/public.orders.js";

/** Select permission of role guest on public.orders, for every row. */
export const orders = tableView(table, { columns: [columns.id] });
