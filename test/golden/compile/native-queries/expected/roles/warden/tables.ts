// Generated: change the metadata, not this file.
// From   role warden: tables
// Slice  sha256:4d499487

import { type TablesByName } from "engine/support";
import { river } from "./default/public.river.js";

/** Tables on which role warden has a permission. */
export const tables: TablesByName = { default: { public: { river: () => river } } };
