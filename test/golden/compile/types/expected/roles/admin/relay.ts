// Generated: change the metadata, not this file.
// From   role admin: Relay API
// Slice  sha256:d0a54bb2

import { defineRelay, selectConnection, selectNode } from "engine/support";
import { sample } from "./default/public.sample.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const roots = { node: selectNode(tables), sample_connection: selectConnection(() => sample) };

/** Root fields of the Relay API for role admin, except mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });
