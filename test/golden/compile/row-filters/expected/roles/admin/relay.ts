// Generated: change the metadata, not this file.
// From   role admin: Relay API
// Slice  sha256:36fbffd0

import { defineRelay, selectConnection, selectNode } from "engine/support";
import { customer } from "./default/public.customer.js";
import { purchase } from "./default/public.purchase.js";
import { support_agent } from "./default/public.support_agent.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const roots = {
  customer_connection: selectConnection(() => customer),
  node: selectNode(tables),
  purchase_connection: selectConnection(() => purchase),
  support_agent_connection: selectConnection(() => support_agent),
};

/** Root fields of the Relay API for role admin, except mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });
