// Generated: change the metadata, not this file.
// From   role follower: tables
// Slice  sha256:d6478312

import { type TablesByName } from "engine/support";
import { track } from "./default/public.track.js";

/** The tables that role follower has some permission on. */
export const tables: TablesByName = { default: { public: { track: () => track } } };
