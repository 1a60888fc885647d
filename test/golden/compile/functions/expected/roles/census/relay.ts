// Generated: change the metadata, not this file.
// From   role census: Relay API
// Slice  sha256:bcc6b732

import { defineRelay, selectConnection, selectNode } from "engine/support";
import { author } from "./default/public.author.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const roots = { author_connection: selectConnection(() => author), node: selectNode(tables) };

/** Root fields of the Relay API for role census, except mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });
