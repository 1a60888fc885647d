// Generated: change the metadata, not this file.
// From   role writer: Relay API
// Slice  sha256:d261d2a5

import { defineRelay, selectConnection, selectNode } from "engine/support";
import { author } from "./default/dbo.author.js";
import { book } from "./default/dbo.book.js";
import { loan } from "./default/dbo.loan.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const roots = {
  author_connection: selectConnection(() => author),
  book_connection: selectConnection(() => book),
  loan_connection: selectConnection(() => loan),
  node: selectNode(tables),
};

/** Root fields of the Relay API for role writer, except mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });
