// Generated: change the metadata, not this file.
// From   role reader: tables
// Slice  sha256:176e7b28

import { type TablesByName } from "engine/support";
import { island } from "./default/public.island.js";

/** Tables on which role reader has a permission. */
export const tables: TablesByName = { default: { public: { island: () => island } } };
