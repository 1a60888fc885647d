// Generated: change the metadata, not this file.
// From   role agent: Relay API
// Slice  sha256:3616e1e7

import { defineRelay, selectConnection, selectNode } from "engine/support";
import { customer } from "./default/public.customer.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const roots = { customer_connection: selectConnection(() => customer), node: selectNode(tables) };

/** Root fields of the Relay API for role agent, except mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });
