// Generated: change the metadata, not this file.
// From   role clerk: Relay API
// Slice  sha256:50dfcdc0

import { defineRelay, selectConnection, selectNode } from "engine/support";
import { author } from "./default/public.author.js";
import { book } from "./default/public.book.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const roots = {
  author_connection: selectConnection(() => author),
  book_connection: selectConnection(() => book),
  node: selectNode(tables),
};

/** Root fields of the Relay API for role clerk, except mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });
