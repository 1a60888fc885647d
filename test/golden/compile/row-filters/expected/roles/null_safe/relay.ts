// Generated: change the metadata, not this file.
// From   role null_safe: Relay API
// Slice  sha256:cf07103b

import { defineRelay, selectConnection, selectNode } from "engine/support";
import { purchase } from "./default/public.purchase.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const roots = { node: selectNode(tables), purchase_connection: selectConnection(() => purchase) };

/** Root fields of the Relay API for role null_safe, except mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });
