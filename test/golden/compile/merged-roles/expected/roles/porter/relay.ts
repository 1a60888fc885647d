// Generated: change the metadata, not this file.
// From   role porter: Relay API
// Slice  sha256:23e7e062

import { defineRelay, selectConnection, selectNode } from "engine/support";
import { lodger } from "./default/public.lodger.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const roots = {
  lodger_connection: selectConnection(() => lodger),
  node: selectNode(tables, { except: [["default", "public", "house"]] }),
};

/** Root fields of the Relay API for role porter, except mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });
