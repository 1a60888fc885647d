// Generated: change the metadata, not this file.
// From   role pilot: Relay API
// Slice  sha256:12ce8f9a

import {
  defineRelay,
  selectConnection,
  selectFunctionConnection,
  selectNode,
} from "engine/support";
import { tracked as seen_since } from "../../sources/default/public.seen_since.function.js";
import { cargo_ship } from "./default/sea_port.cargo_ship.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const roots = {
  node: selectNode(tables),
  seaPortCargoShipConnection: selectConnection(() => cargo_ship),
  seenSinceConnection: selectFunctionConnection(() => cargo_ship, seen_since),
};

/** Root fields of the Relay API for role pilot, except mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });
