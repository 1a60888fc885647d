// Generated: change the metadata, not this file.
// From   role customer: Relay API
// Slice  sha256:2890cfe9

import { defineRelay, selectConnection, selectNode } from "engine/support";
import { shirt } from "./default/public.shirt.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const roots = { node: selectNode(tables), shirt_connection: selectConnection(() => shirt) };

/** Root fields of the Relay API for role customer, except mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });
