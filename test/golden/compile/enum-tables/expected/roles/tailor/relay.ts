// Generated: change the metadata, not this file.
// From   role tailor: Relay API
// Slice  sha256:f0a38ea9

import { defineRelay, selectConnection, selectNode } from "engine/support";
import { shirt } from "./default/public.shirt.js";
import { size } from "./default/public.size.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const roots = {
  node: selectNode(tables),
  shirt_connection: selectConnection(() => shirt),
  size_connection: selectConnection(() => size),
};

/** Root fields of the Relay API for role tailor, except mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });
