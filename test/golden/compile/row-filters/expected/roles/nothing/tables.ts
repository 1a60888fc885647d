// Generated: change the metadata, not this file.
// From   role nothing: tables
// Slice  sha256:b0017934

import { type TablesByName } from "engine/support";
import { purchase } from "./default/public.purchase.js";

/** Tables on which role nothing has a permission. */
export const tables: TablesByName = { default: { public: { purchase: () => purchase } } };
