// Generated: change the metadata, not this file.
// From   role clerk: tables
// Slice  sha256:3b23ce28

import { type TablesByName } from "engine/support";
import { order } from "./main-shop+21/shop+1.order.js";

/** Tables on which role clerk has a permission. */
export const tables: TablesByName = { "Main Shop": { Shop: { order: () => order } } };
