// Generated: change the metadata, not this file.
// From   role admin: tables
// Slice  sha256:da3955e1

import { type TablesByName } from "engine/support";
import { log_entry } from "./default/public.log_entry.js";
import { cargo_ship } from "./default/sea_port.cargo_ship.js";
import { ship_state } from "./default/sea_port.ship_state.js";

/** Tables on which role admin has a permission. */
export const tables: TablesByName = {
  default: {
    public: { log_entry: () => log_entry },
    sea_port: { cargo_ship: () => cargo_ship, ship_state: () => ship_state },
  },
};
