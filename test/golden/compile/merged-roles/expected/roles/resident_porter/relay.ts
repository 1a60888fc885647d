// Generated: change the metadata, not this file.
// From   role resident_porter: Relay API
// Slice  sha256:8b983540

import { defineRelay, selectConnection, selectNode } from "engine/support";
import { lodger } from "./default/public.lodger.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const roots = {
  lodger_connection: selectConnection(() => lodger),
  node: selectNode(tables, { except: [["default", "public", "house"]] }),
};

/** Root fields of the Relay API for role resident_porter, except mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });
