// Generated: change the metadata, not this file.
// From   role editor: Relay API
// Slice  sha256:254883c8

import { defineRelay, selectConnection, selectNode } from "engine/support";
import { book } from "./default/dbo.book.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const roots = { book_connection: selectConnection(() => book), node: selectNode(tables) };

/** Root fields of the Relay API for role editor, except mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });
