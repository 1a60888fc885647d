// Generated: change the metadata, not this file.
// From   role warden: tables
// Slice  sha256:4d499487

import { type TablesByName } from "engine/support";
import { river } from "./default/public.river.js";

/** The tables that role warden has some permission on. */
export const tables: TablesByName = { default: { public: { river: () => river } } };
