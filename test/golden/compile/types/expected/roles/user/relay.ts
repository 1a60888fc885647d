// Generated: change the metadata, not this file.
// From   role user: Relay API
// Slice  sha256:1c2d01e2

import { defineRelay, selectConnection, selectNode } from "engine/support";
import { sample } from "./default/public.sample.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const roots = { node: selectNode(tables), sample_connection: selectConnection(() => sample) };

/** Root fields of the Relay API for role user, except mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });
