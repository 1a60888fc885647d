// Generated: change the metadata, not this file.
// From   role pilot: tables
// Slice  sha256:9b420232

import { type TablesByName } from "engine/support";
import { cargo_ship } from "./default/sea_port.cargo_ship.js";

/** Tables on which role pilot has a permission. */
export const tables: TablesByName = { default: { sea_port: { cargo_ship: () => cargo_ship } } };
