// Generated: change the metadata, not this file.
// From   role admin: Relay API
// Slice  sha256:24588910

import { defineRelay, selectConnection, selectNode } from "engine/support";
import { note } from "./default/public.note.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const roots = { node: selectNode(tables), note_connection: selectConnection(() => note) };

/** Root fields of the Relay API for role admin, except mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });
