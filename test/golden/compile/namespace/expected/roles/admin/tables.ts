// Generated: change the metadata, not this file.
// From   role admin: tables
// Slice  sha256:70851639

import { type TablesByName } from "engine/support";
import { island } from "./default/public.island.js";

/** The tables that role admin has some permission on. */
export const tables: TablesByName = { default: { public: { island: () => island } } };
