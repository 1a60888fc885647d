// Generated: change the metadata, not this file.
// From   role staff
// Slice  sha256:dc3e0633

import {
  defineRole,
  deleteByPk,
  deleteRows,
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
  house_by_pk: selectByPk(() => house),
  lodger: selectMany(() => lodger),
  lodger_aggregate: selectAggregate(() => lodger),
  lodger_by_pk: selectByPk(() => lodger),
  lodger_group: selectGroups(() => lodger),
};

/** Root fields of role staff. */
export const role = defineRole({
  role: "staff",
  query,
  subscription: {
    ...query,
    house_stream: streamRows(() => house),
    lodger_stream: streamRows(() => lodger),
  },
  mutation: {
    delete_lodger: deleteRows(() => lodger),
    delete_lodger_by_pk: deleteByPk(() => lodger),
    update_lodger: updateRows(() => lodger),
    update_lodger_by_pk: updateByPk(() => lodger),
    update_lodger_many: updateMany(() => lodger),
  },
  tables: () => tables,
});
