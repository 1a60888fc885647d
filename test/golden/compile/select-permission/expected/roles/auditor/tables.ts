// Generated: change the metadata, not this file.
// From   role auditor: tables
// Slice  sha256:b8d3149d

import { type TablesByName } from "engine/support";
import { note } from "./default/public.note.js";

/** Tables on which role auditor has a permission. */
export const tables: TablesByName = { default: { public: { note: () => note } } };
