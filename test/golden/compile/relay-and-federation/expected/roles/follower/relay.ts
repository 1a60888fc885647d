// Generated: change the metadata, not this file.
// From   role follower: Relay API
// Slice  sha256:c9d0e57a

import { defineRelay, selectNode } from "engine/support";
import { tables } from "./tables.js";

/** Root fields of the Relay API for role follower, except mutations. */
export const relay = defineRelay({ query: {}, subscription: { node: selectNode(tables) } });
