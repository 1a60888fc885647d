// Generated: change the metadata, not this file.
// From   role nulls: Relay API
// Slice  sha256:7e520d5e

import { defineRelay, selectConnection, selectNode } from "engine/support";
import { customer } from "./default/public.customer.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const roots = { customer_connection: selectConnection(() => customer), node: selectNode(tables) };

/** Root fields of the Relay API for role nulls, except mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });
