// Generated: change the metadata, not this file.
// From   role dates: Relay API
// Slice  sha256:2ace4b82

import { defineRelay, selectConnection, selectNode } from "engine/support";
import { purchase } from "./default/public.purchase.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const roots = { node: selectNode(tables), purchase_connection: selectConnection(() => purchase) };

/** Root fields of the Relay API for role dates, except mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });
