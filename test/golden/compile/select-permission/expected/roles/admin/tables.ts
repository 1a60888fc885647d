// Generated: change the metadata, not this file.
// From   role admin: tables
// Slice  sha256:cd6a28ff

import { type TablesByName } from "engine/support";
import { note } from "./default/public.note.js";

/** Tables on which role admin has a permission. */
export const tables: TablesByName = { default: { public: { note: () => note } } };
