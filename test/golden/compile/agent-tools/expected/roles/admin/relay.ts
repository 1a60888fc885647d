// Generated: change the metadata, not this file.
// From   role admin: Relay API
// Slice  sha256:c48afd89

import {
  defineRelay,
  selectConnection,
  selectFunctionConnection,
  selectNode,
} from "engine/support";
import { tracked as count_books } from "../../sources/default/public.count_books.function.js";
import { tracked as search_books } from "../../sources/default/public.search_books.function.js";
import { author } from "./default/public.author.js";
import { book } from "./default/public.book.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const roots = {
  author_connection: selectConnection(() => author),
  book_connection: selectConnection(() => book),
  count_books_connection: selectFunctionConnection(() => book, count_books),
  node: selectNode(tables),
  search_books_connection: selectFunctionConnection(() => book, search_books),
};

/** Root fields of the Relay API for role admin, except mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });
