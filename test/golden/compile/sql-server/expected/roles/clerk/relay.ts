// Generated: change the metadata, not this file.
// From   role clerk: Relay API
// Slice  sha256:fd7607af

import {
  defineRelay,
  selectConnection,
  selectFunctionConnection,
  selectNode,
} from "engine/support";
import { tracked as books_about } from "../../sources/default/dbo.books_about.function.js";
import { book } from "./default/dbo.book.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const roots = {
  book_connection: selectConnection(() => book),
  books_about_connection: selectFunctionConnection(() => book, books_about),
  node: selectNode(tables, { except: [["default", "dbo", "author"]] }),
};

/** Root fields of the Relay API for role clerk, except mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });
