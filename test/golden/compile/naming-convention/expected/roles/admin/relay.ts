// Generated: change the metadata, not this file.
// From   role admin: Relay API
// Slice  sha256:a32e771a

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

/** Fields of queries and of subscriptions. */
const roots = {
  diary_pageConnection: selectConnection(() => log_entry),
  node: selectNode({
    default: {
      public: { log_entry: () => log_entry },
      sea_port: { cargo_ship: () => cargo_ship, ship_state: () => ship_state },
    },
  }),
  seaPortCargoShipConnection: selectConnection(() => cargo_ship),
  seaPortShipStateConnection: selectConnection(() => ship_state),
  seenSinceConnection: selectFunctionConnection(() => cargo_ship, seen_since),
};

/** What role admin may ask of the Relay API, besides its mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });
