// Generated: change the metadata, not this file.
// From   role guest: Relay API
// Slice  sha256:617bf57c

import { defineRelay, selectConnection, selectNode } from "engine/support";
import { author } from "./default/dbo.author.js";
import { loan } from "./default/dbo.loan.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const roots = {
  author_connection: selectConnection(() => author),
  loan_connection: selectConnection(() => loan),
  node: selectNode(tables),
};

/** Root fields of the Relay API for role guest, except mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });
