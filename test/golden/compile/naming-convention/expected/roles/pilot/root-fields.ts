// Generated: change the metadata, not this file.
// From   role pilot
// Slice  sha256:9f671065

import { defineRole, selectByPk, selectFunction, selectMany, streamRows } from "engine/support";
import { tracked as seen_since } from "../../sources/default/public.seen_since.function.js";
import { cargo_ship } from "./default/sea_port.cargo_ship.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const query = {
  seaPortCargoShip: selectMany(() => cargo_ship),
  seaPortCargoShipByPk: selectByPk(() => cargo_ship),
  seenSince: selectFunction(() => cargo_ship, seen_since),
};

/** Root fields of role pilot. */
export const role = defineRole({
  role: "pilot",
  query,
  subscription: { ...query, seaPortCargoShipStream: streamRows(() => cargo_ship) },
  tables: () => tables,
});
