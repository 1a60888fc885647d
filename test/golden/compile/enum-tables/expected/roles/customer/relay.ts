// Generated: change the metadata, not this file.
// From   role customer: Relay API
// Slice  sha256:5265e37b

import { defineRelay, selectConnection, selectNode } from "engine/support";
import { shirt } from "./default/public.shirt.js";

/** Fields of queries and of subscriptions. */
const roots = {
  node: selectNode({ default: { public: { shirt: () => shirt } } }),
  shirt_connection: selectConnection(() => shirt),
};

/** What role customer may ask of the Relay API, besides its mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });
