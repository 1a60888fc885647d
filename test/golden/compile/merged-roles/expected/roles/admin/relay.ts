// Generated: change the metadata, not this file.
// From   role admin: Relay API
// Slice  sha256:b65d3674

import { defineRelay, selectConnection, selectNode } from "engine/support";
import { house } from "./default/public.house.js";
import { lodger } from "./default/public.lodger.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const roots = {
  house_connection: selectConnection(() => house),
  lodger_connection: selectConnection(() => lodger),
  node: selectNode(tables),
};

/** Root fields of the Relay API for role admin, except mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });
