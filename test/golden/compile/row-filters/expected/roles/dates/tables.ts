// Generated: change the metadata, not this file.
// From   role dates: tables
// Slice  sha256:e315b253

import { type TablesByName } from "engine/support";
import { purchase } from "./default/public.purchase.js";

/** Tables on which role dates has a permission. */
export const tables: TablesByName = { default: { public: { purchase: () => purchase } } };
