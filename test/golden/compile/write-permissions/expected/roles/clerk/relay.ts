// Generated: change the metadata, not this file.
// From   role clerk: Relay API
// Slice  sha256:f6edaecb

import { defineRelay, selectConnection, selectNode } from "engine/support";
import { invoice } from "./default/public.invoice.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const roots = {
  invoice_connection: selectConnection(() => invoice),
  node: selectNode(tables, { except: [["default", "public", "client"]] }),
};

/** Root fields of the Relay API for role clerk, except mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });
