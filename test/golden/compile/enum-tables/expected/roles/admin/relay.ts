// Generated: change the metadata, not this file.
// From   role admin: Relay API
// Slice  sha256:951ec896

import { defineRelay, selectConnection, selectNode } from "engine/support";
import { color } from "./default/public.color.js";
import { shirt } from "./default/public.shirt.js";
import { size } from "./default/public.size.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const roots = {
  node: selectNode(tables),
  paint_connection: selectConnection(() => color),
  shirt_connection: selectConnection(() => shirt),
  size_connection: selectConnection(() => size),
};

/** Root fields of the Relay API for role admin, except mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });
