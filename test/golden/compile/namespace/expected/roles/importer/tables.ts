// Generated: change the metadata, not this file.
// From   role importer: tables
// Slice  sha256:95c80c09

import { type TablesByName } from "engine/support";
import { island } from "./default/public.island.js";

/** The tables that role importer has some permission on. */
export const tables: TablesByName = { default: { public: { island: () => island } } };
