// Generated: change the metadata, not this file.
// From   role null_safe: tables
// Slice  sha256:7bd0e019

import { type TablesByName } from "engine/support";
import { purchase } from "./default/public.purchase.js";

/** Tables on which role null_safe has a permission. */
export const tables: TablesByName = { default: { public: { purchase: () => purchase } } };
