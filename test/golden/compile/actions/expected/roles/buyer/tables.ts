// Generated: change the metadata, not this file.
// From   role buyer: tables
// Slice  sha256:e3b3f518

import { type TablesByName } from "engine/support";
import { person } from "./default/public.person.js";

/** Tables on which role buyer has a permission. */
export const tables: TablesByName = { default: { public: { person: () => person } } };
