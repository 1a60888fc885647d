// Generated: change the metadata, not this file.
// From   role admin
// Slice  sha256:472ea5f5

import {
  defineRole,
  deleteByPk,
  deleteRows,
  insertRow,
  insertRows,
  selectAggregate,
  selectByPk,
  selectFunction,
  selectFunctionAggregate,
  selectGroups,
  selectMany,
  streamRows,
  updateByPk,
  updateMany,
  updateRows,
} from "engine/support";
import { tracked as seen_since } from "../../sources/default/public.seen_since.function.js";
import { log_entry } from "./default/public.log_entry.js";
import { cargo_ship } from "./default/sea_port.cargo_ship.js";
import { ship_state } from "./default/sea_port.ship_state.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const query = {
  all_pages: selectMany(() => log_entry),
  diary_pageAggregate: selectAggregate(() => log_entry),
  diary_pageByPk: selectByPk(() => log_entry),
  diary_pageGroup: selectGroups(() => log_entry),
  seaPortCargoShip: selectMany(() => cargo_ship),
  seaPortCargoShipAggregate: selectAggregate(() => cargo_ship),
  seaPortCargoShipByPk: selectByPk(() => cargo_ship),
  seaPortCargoShipGroup: selectGroups(() => cargo_ship),
  seaPortShipState: selectMany(() => ship_state),
  seaPortShipStateAggregate: selectAggregate(() => ship_state),
  seaPortShipStateByPk: selectByPk(() => ship_state),
  seaPortShipStateGroup: selectGroups(() => ship_state),
  seenSince: selectFunction(() => cargo_ship, seen_since),
  seenSinceAggregate: selectFunctionAggregate(() => cargo_ship, seen_since),
};

/** Root fields of role admin. */
export const role = defineRole({
  role: "admin",
  query,
  subscription: {
    ...query,
    diary_pageStream: streamRows(() => log_entry),
    seaPortCargoShipStream: streamRows(() => cargo_ship),
    seaPortShipStateStream: streamRows(() => ship_state),
  },
  mutation: {
    deleteDiary_page: deleteRows(() => log_entry),
    deleteDiary_pageByPk: deleteByPk(() => log_entry),
    deleteSeaPortCargoShip: deleteRows(() => cargo_ship),
    deleteSeaPortCargoShipByPk: deleteByPk(() => cargo_ship),
    deleteSeaPortShipState: deleteRows(() => ship_state),
    deleteSeaPortShipStateByPk: deleteByPk(() => ship_state),
    insertDiary_page: insertRows(() => log_entry),
    insertDiary_pageOne: insertRow(() => log_entry),
    insertSeaPortCargoShip: insertRows(() => cargo_ship),
    insertSeaPortCargoShipOne: insertRow(() => cargo_ship),
    insertSeaPortShipState: insertRows(() => ship_state),
    insertSeaPortShipStateOne: insertRow(() => ship_state),
    updateDiary_page: updateRows(() => log_entry),
    updateDiary_pageByPk: updateByPk(() => log_entry),
    updateDiary_pageMany: updateMany(() => log_entry),
    updateSeaPortCargoShip: updateRows(() => cargo_ship),
    updateSeaPortCargoShipByPk: updateByPk(() => cargo_ship),
    updateSeaPortCargoShipMany: updateMany(() => cargo_ship),
    updateSeaPortShipState: updateRows(() => ship_state),
    updateSeaPortShipStateByPk: updateByPk(() => ship_state),
    updateSeaPortShipStateMany: updateMany(() => ship_state),
  },
  tables: () => tables,
});
