// Generated: change the metadata, not this file.
// From   role follower: tables
// Slice  sha256:d6478312

import { type TablesByName } from "engine/support";
import { track } from "./default/public.track.js";

/** Tables on which role follower has a permission. */
export const tables: TablesByName = { default: { public: { track: () => track } } };
