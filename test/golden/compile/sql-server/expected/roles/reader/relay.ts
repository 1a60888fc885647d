// Generated: change the metadata, not this file.
// From   role reader: Relay API
// Slice  sha256:d0f8d711

import {
  defineRelay,
  selectConnection,
  selectFunctionConnection,
  selectNode,
} from "engine/support";
import { tracked as books_about } from "../../sources/default/dbo.books_about.function.js";
import { author } from "./default/dbo.author.js";
import { book } from "./default/dbo.book.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const roots = {
  author_connection: selectConnection(() => author),
  book_connection: selectConnection(() => book),
  books_about_connection: selectFunctionConnection(() => book, books_about),
  node: selectNode(tables),
};

/** Root fields of the Relay API for role reader, except mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });
