// Generated: change the metadata, not this file.
// From   role admin: Relay API
// Slice  sha256:3878e931

import {
  defineRelay,
  selectConnection,
  selectFunctionConnection,
  selectNode,
} from "engine/support";
import { tracked as seen_since } from "../../sources/default/public.seen_since.function.js";
import { log_entry } from "./default/public.log_entry.js";
import { cargo_ship } from "./default/sea_port.cargo_ship.js";
import { ship_state } from "./default/sea_port.ship_state.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const roots = {
  diary_pageConnection: selectConnection(() => log_entry),
  node: selectNode(tables),
  seaPortCargoShipConnection: selectConnection(() => cargo_ship),
  seaPortShipStateConnection: selectConnection(() => ship_state),
  seenSinceConnection: selectFunctionConnection(() => cargo_ship, seen_since),
};

/** Root fields of the Relay API for role admin, except mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });
