// Generated: change the metadata, not this file.
// From   role admin: tables
// Slice  sha256:835f0990

import { type TablesByName } from "engine/support";
import { sample } from "./default/public.sample.js";

/** Tables on which role admin has a permission. */
export const tables: TablesByName = { default: { public: { sample: () => sample } } };
