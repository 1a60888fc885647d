// Generated: change the metadata, not this file.
// From   role columns: tables
// Slice  sha256:80cfd929

import { type TablesByName } from "engine/support";
import { purchase } from "./default/public.purchase.js";

/** Tables on which role columns has a permission. */
export const tables: TablesByName = { default: { public: { purchase: () => purchase } } };
