// Generated: change the metadata, not this file.
// From   role admin: Relay API
// Slice  sha256:e0b8b40b

import { defineRelay, selectConnection, selectNode } from "engine/support";
import { author } from "./default/dbo.author.js";
import { book } from "./default/dbo.book.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const roots = {
  author_connection: selectConnection(() => author),
  book_connection: selectConnection(() => book),
  node: selectNode(tables),
};

/** Root fields of the Relay API for role admin, except mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });
