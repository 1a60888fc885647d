// Generated: change the metadata, not this file.
// From   role user: tables
// Slice  sha256:5d6705ab

import { type TablesByName } from "engine/support";
import { note } from "./default/public.note.js";

/** Tables on which role user has a permission. */
export const tables: TablesByName = { default: { public: { note: () => note } } };
