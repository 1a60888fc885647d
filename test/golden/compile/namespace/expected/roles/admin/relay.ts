// Generated: change the metadata, not this file.
// From   role admin: Relay API
// Slice  sha256:f02bc787

import {
  defineRelay,
  namespace,
  selectConnection,
  selectFunctionConnection,
  selectNode,
} from "engine/support";
import { tracked as islands_named } from "../../sources/default/public.islands_named.function.js";
import { defaultSource as source } from "../../sources/default/source.js";
import { island } from "./default/public.island.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const roots = {
  atlas: namespace(source, {
    the_island_connection_now: selectConnection(() => island),
    the_islands_named_connection_now: selectFunctionConnection(() => island, islands_named),
  }),
  node: selectNode(tables),
};

/** Root fields of the Relay API for role admin, except mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });
