// Generated: change the metadata, not this file.
// From   role admin
// Slice  sha256:40c27529

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
  streamRows,
  updateByPk,
  updateMany,
  updateRows,
} from "engine/support";
import { house } from "./default/public.house.js";
import { lodger } from "./default/public.lodger.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const query = {
  house: selectMany(() => house),
  house_aggregate: selectAggregate(() => house),
  house_by_pk: selectByPk(() => house),
  house_group: selectGroups(() => house),
  lodger: selectMany(() => lodger),
  lodger_aggregate: selectAggregate(() => lodger),
  lodger_by_pk: selectByPk(() => lodger),
  lodger_group: selectGroups(() => lodger),
};

/** Root fields of role admin. */
export const role = defineRole({
  role: "admin",
  query,
  subscription: {
    ...query,
    house_stream: streamRows(() => house),
    lodger_stream: streamRows(() => lodger),
  },
  mutation: {
    delete_house: deleteRows(() => house),
    delete_house_by_pk: deleteByPk(() => house),
    delete_lodger: deleteRows(() => lodger),
    delete_lodger_by_pk: deleteByPk(() => lodger),
    insert_house: insertRows(() => house),
    insert_house_one: insertRow(() => house),
    insert_lodger: insertRows(() => lodger),
    insert_lodger_one: insertRow(() => lodger),
    update_house: updateRows(() => house),
    update_house_by_pk: updateByPk(() => house),
    update_house_many: updateMany(() => house),
    update_lodger: updateRows(() => lodger),
    update_lodger_by_pk: updateByPk(() => lodger),
    update_lodger_many: updateMany(() => lodger),
  },
  tables: () => tables,
});
