// Generated: change the metadata, not this file.
// From   role admin
// Slice  sha256:612b2e1e

import {
  defineRole,
  deleteByPk,
  deleteRows,
  insertRow,
  insertRows,
  selectAggregate,
  selectByPk,
  selectGroups,
  selectMany,
  selectNative,
  streamRows,
  updateByPk,
  updateMany,
  updateRows,
} from "engine/support";
import { readings_since } from "./default/native.readings_since.query.js";
import { river } from "./default/public.river.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const query = {
  readings_since: selectNative(() => readings_since, { description: "Levels since a moment." }),
  river: selectMany(() => river),
  river_aggregate: selectAggregate(() => river),
  river_by_pk: selectByPk(() => river),
  river_group: selectGroups(() => river),
};

/** Root fields of role admin. */
export const role = defineRole({
  role: "admin",
  query,
  subscription: { ...query, river_stream: streamRows(() => river) },
  mutation: {
    delete_river: deleteRows(() => river),
    delete_river_by_pk: deleteByPk(() => river),
    insert_river: insertRows(() => river),
    insert_river_one: insertRow(() => river),
    update_river: updateRows(() => river),
    update_river_by_pk: updateByPk(() => river),
    update_river_many: updateMany(() => river),
  },
  tables: () => tables,
});
