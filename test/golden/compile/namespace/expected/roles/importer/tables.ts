// Generated: change the metadata, not this file.
// From   role importer: tables
// Slice  sha256:95c80c09

import { type TablesByName } from "engine/support";
import { island } from "./default/public.island.js";

/** Tables on which role importer has a permission. */
export const tables: TablesByName = { default: { public: { island: () => island } } };
