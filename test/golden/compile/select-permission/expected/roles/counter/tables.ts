// Generated: change the metadata, not this file.
// From   role counter: tables
// Slice  sha256:508a6e2d

import { type TablesByName } from "engine/support";
import { note } from "./default/public.note.js";

/** Tables on which role counter has a permission. */
export const tables: TablesByName = { default: { public: { note: () => note } } };
