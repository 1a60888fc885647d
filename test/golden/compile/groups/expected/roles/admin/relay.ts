// Generated: change the metadata, not this file.
// From   role admin: Relay API
// Slice  sha256:0d3e46df

import { defineRelay, selectConnection, selectNode } from "engine/support";
import { town } from "./default/public.town.js";
import { visit } from "./default/public.visit.js";
import { visit_group } from "./default/public.visit_group.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const roots = {
  node: selectNode(tables),
  town_connection: selectConnection(() => town),
  visit_connection: selectConnection(() => visit),
  visit_group_connection: selectConnection(() => visit_group),
};

/** Root fields of the Relay API for role admin, except mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });
