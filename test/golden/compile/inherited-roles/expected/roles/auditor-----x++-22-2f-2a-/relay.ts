// Generated: change the metadata, not this file.
// From   role auditor "/* x: Relay API
// Slice  sha256:1b3824d2

import { defineRelay, selectConnection, selectNode } from "engine/support";
import { lodger } from "./default/public.lodger.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const roots = { lodger_connection: selectConnection(() => lodger), node: selectNode(tables) };

/** Root fields of the Relay API for role auditor "/* x, except mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });
