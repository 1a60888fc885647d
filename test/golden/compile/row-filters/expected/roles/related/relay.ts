// Generated: change the metadata, not this file.
// From   role related: Relay API
// Slice  sha256:e38e3525

import { defineRelay, selectConnection, selectNode } from "engine/support";
import { customer } from "./default/public.customer.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const roots = { customer_connection: selectConnection(() => customer), node: selectNode(tables) };

/** Root fields of the Relay API for role related, except mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });
