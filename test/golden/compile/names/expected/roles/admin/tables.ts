// Generated: change the metadata, not this file.
// From   role admin: tables
// Slice  sha256:b7858be4

import { type TablesByName } from "engine/support";
import { a__$_b_____ } from "./main-shop+21/public.a----b-----++-60-24-7b-7d-60--2a-2f.js";
import { columns_ } from "./main-shop+21/public.columns.js";
import { Order } from "./main-shop+21/shop+1.order+1.js";
import { order } from "./main-shop+21/shop+1.order.js";

/** Tables on which role admin has a permission. */
export const tables: TablesByName = {
  "Main Shop": {
    Shop: { Order: () => Order, order: () => order },
    public: { "a `${b}` */": () => a__$_b_____, columns: () => columns_ },
  },
};
