// Generated: change the metadata, not this file.
// From   role Clerk: tables
// Slice  sha256:e0b27dea

import { type TablesByName } from "engine/support";
import { Order } from "./+main=20=+shop/+shop.+order.js";
import { order } from "./+main=20=+shop/+shop.order.js";
import { a__$_b_____ } from "./+main=20=+shop/public.a=20==60==24==7b=b=7d==60==20==2a==2f=.js";
import { columns_ } from "./+main=20=+shop/public.columns.js";

/** The tables that role Clerk has some permission on. */
export const tables: TablesByName = {
  "Main Shop": {
    Shop: { Order: () => Order, order: () => order },
    public: { "a `${b}` */": () => a__$_b_____, columns: () => columns_ },
  },
};
