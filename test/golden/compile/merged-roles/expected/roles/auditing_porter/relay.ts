// Generated: change the metadata, not this file.
// From   role auditing_porter: Relay API
// Slice  sha256:5d1c9f08

import { defineRelay, selectConnection, selectNode } from "engine/support";
import { lodger } from "./default/public.lodger.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const roots = {
  lodger_connection: selectConnection(() => lodger),
  node: selectNode(tables, { except: [["default", "public", "house"]] }),
};

/** Root fields of the Relay API for role auditing_porter, except mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });
