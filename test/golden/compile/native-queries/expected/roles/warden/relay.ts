// Generated: change the metadata, not this file.
// From   role warden: Relay API
// Slice  sha256:c72ac93d

import { defineRelay, selectConnection, selectNode } from "engine/support";
import { river } from "./default/public.river.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const roots = { node: selectNode(tables), river_connection: selectConnection(() => river) };

/** Root fields of the Relay API for role warden, except mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });
