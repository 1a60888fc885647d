// Generated: change the metadata, not this file.
// From   role guest: Relay API
// Slice  sha256:6f205e54

import { defineRelay, selectConnection, selectNode } from "engine/support";
import { town } from "./default/public.town.js";
import { visit } from "./default/public.visit.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const roots = {
  node: selectNode(tables),
  town_connection: selectConnection(() => town),
  visit_connection: selectConnection(() => visit),
};

/** Root fields of the Relay API for role guest, except mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });
