// Generated: change the metadata, not this file.
// From   role visitor: Relay API
// Slice  sha256:18b99cb6

import { defineRelay, selectConnection, selectNode } from "engine/support";
import { author } from "./default/public.author.js";
import { book } from "./default/public.book.js";
import { branch } from "./default/public.branch.js";
import { copy } from "./default/public.copy.js";
import { review } from "./default/public.review.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const roots = {
  author_connection: selectConnection(() => author),
  book_connection: selectConnection(() => book),
  branch_connection: selectConnection(() => branch),
  copy_connection: selectConnection(() => copy),
  node: selectNode(tables),
  review_connection: selectConnection(() => review),
};

/** Root fields of the Relay API for role visitor, except mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });
