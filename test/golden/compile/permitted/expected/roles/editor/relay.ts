// Generated: change the metadata, not this file.
// From   role editor: Relay API
// Slice  sha256:94e9f021

import { defineRelay, selectConnection, selectNode } from "engine/support";
import { author } from "./default/public.author.js";
import { book } from "./default/public.book.js";
import { loan } from "./default/public.loan.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const roots = {
  author_connection: selectConnection(() => author),
  book_connection: selectConnection(() => book),
  loan_connection: selectConnection(() => loan),
  node: selectNode(tables),
};

/** Root fields of the Relay API for role editor, except mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });
