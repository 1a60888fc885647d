// Generated: change the metadata, not this file.
// From   role user: tables
// Slice  sha256:44daa2c1

import { type TablesByName } from "engine/support";
import { sample } from "./default/public.sample.js";

/** Tables on which role user has a permission. */
export const tables: TablesByName = { default: { public: { sample: () => sample } } };
