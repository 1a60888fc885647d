// Generated: change the metadata, not this file.
// From   enum table sea_port.ship_state (source default)
// Slice  sha256:b889d7f2

import { defineEnum } from "engine/support";
import { defaultSource } from "./source.js";

/** Rows of enum table sea_port.ship_state. */
export const ship_state = defineEnum({
  source: defaultSource,
  type: "SeaPortShipState",
  values: { at_sea: "Nowhere near.", moored: "At a berth." },
});
