// Generated: change the metadata, not this file.
// From   role buyer: tables
// Slice  sha256:e3b3f518

import { type TablesByName } from "engine/support";
import { person } from "./default/public.person.js";

/** The tables that role buyer has some permission on. */
export const tables: TablesByName = { default: { public: { person: () => person } } };
