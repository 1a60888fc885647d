// Generated: change the metadata, not this file.
// From   role listener: tables
// Slice  sha256:f70cd08d

import { type TablesByName } from "engine/support";
import { island } from "./default/public.island.js";

/** Tables on which role listener has a permission. */
export const tables: TablesByName = { default: { public: { island: () => island } } };
