// Generated: change the metadata, not this file.
// From   role pilot: Relay API
// Slice  sha256:380bbfa8

import {
  defineRelay,
  selectConnection,
  selectFunctionConnection,
  selectNode,
} from "engine/support";
import { tracked as seen_since } from "../../sources/default/public.seen_since.function.js";
import { cargo_ship } from "./default/sea_port.cargo_ship.js";

/** Fields of queries and of subscriptions. */
const roots = {
  node: selectNode({ default: { sea_port: { cargo_ship: () => cargo_ship } } }),
  seaPortCargoShipConnection: selectConnection(() => cargo_ship),
  seenSinceConnection: selectFunctionConnection(() => cargo_ship, seen_since),
};

/** What role pilot may ask of the Relay API, besides its mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });
