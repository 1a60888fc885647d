// Generated: change the metadata, not this file.
// From   role admin: tables
// Slice  sha256:dff7dfef

import { type TablesByName } from "engine/support";
import { person } from "./default/public.person.js";

/** Tables on which role admin has a permission. */
export const tables: TablesByName = { default: { public: { person: () => person } } };
