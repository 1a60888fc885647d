// Generated: change the metadata, not this file.
// From   role admin: tables
// Slice  sha256:cd6a28ff

import { type TablesByName } from "engine/support";
import { note } from "./default/public.note.js";

/** The tables that role admin has some permission on. */
export const tables: TablesByName = { default: { public: { note: () => note } } };
