// Generated: change the metadata, not this file.
// From   role user: Relay API
// Slice  sha256:f98c0056

import { defineRelay, selectConnection, selectNode } from "engine/support";
import { note } from "./default/public.note.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const roots = { node: selectNode(tables), note_connection: selectConnection(() => note) };

/** Root fields of the Relay API for role user, except mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });
