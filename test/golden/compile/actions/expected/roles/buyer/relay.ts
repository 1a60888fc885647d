// Generated: change the metadata, not this file.
// From   role buyer: Relay API
// Slice  sha256:57bf3440

import { defineRelay, selectConnection, selectNode } from "engine/support";
import { person } from "./default/public.person.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const roots = { node: selectNode(tables), person_connection: selectConnection(() => person) };

/** Root fields of the Relay API for role buyer, except mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });
