// Generated: change the metadata, not this file.
// From   role reader: tables
// Slice  sha256:176e7b28

import { type TablesByName } from "engine/support";
import { island } from "./default/public.island.js";

/** The tables that role reader has some permission on. */
export const tables: TablesByName = { default: { public: { island: () => island } } };
