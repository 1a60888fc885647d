// Generated: change the metadata, not this file.
// From   role user: tables
// Slice  sha256:44daa2c1

import { type TablesByName } from "engine/support";
import { sample } from "./default/public.sample.js";

/** The tables that role user has some permission on. */
export const tables: TablesByName = { default: { public: { sample: () => sample } } };
