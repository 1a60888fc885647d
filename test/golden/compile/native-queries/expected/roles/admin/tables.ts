// Generated: change the metadata, not this file.
// From   role admin: tables
// Slice  sha256:53fdf450

import { type TablesByName } from "engine/support";
import { river } from "./default/public.river.js";

/** Tables on which role admin has a permission. */
export const tables: TablesByName = { default: { public: { river: () => river } } };
