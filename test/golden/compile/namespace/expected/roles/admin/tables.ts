// Generated: change the metadata, not this file.
// From   role admin: tables
// Slice  sha256:70851639

import { type TablesByName } from "engine/support";
import { island } from "./default/public.island.js";

/** Tables on which role admin has a permission. */
export const tables: TablesByName = { default: { public: { island: () => island } } };
