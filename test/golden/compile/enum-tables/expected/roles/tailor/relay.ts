// Generated: change the metadata, not this file.
// From   role tailor: Relay API
// Slice  sha256:f0a38ea9

import { defineRelay, selectConnection, selectNode } from "engine/support";
import { shirt } from "./default/public.shirt.js";
import { size } from "./default/public.size.js";
import { tables } from "./tables.js";

/** Fields of queries and of subscriptions. */
const roots = {
  node: selectNode(tables),
  shirt_connection: selectConnection(() => shirt),
  size_connection: selectConnection(() => size),
};

/** What role tailor may ask of the Relay API, besides its mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });
