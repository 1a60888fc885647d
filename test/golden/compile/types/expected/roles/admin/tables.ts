// Generated: change the metadata, not this file.
// From   role admin: tables
// Slice  sha256:835f0990

import { type TablesByName } from "engine/support";
import { sample } from "./default/public.sample.js";

/** The tables that role admin has some permission on. */
export const tables: TablesByName = { default: { public: { sample: () => sample } } };
