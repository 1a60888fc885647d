// Generated: change the metadata, not this file.
// From   role admin: Relay API
// Slice  sha256:6899f49b

import { defineRelay, selectConnection, selectNode } from "engine/support";
import { client } from "./default/public.client.js";
import { invoice } from "./default/public.invoice.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const roots = {
  client_connection: selectConnection(() => client),
  invoice_connection: selectConnection(() => invoice),
  node: selectNode(tables),
};

/** Root fields of the Relay API for role admin, except mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });
