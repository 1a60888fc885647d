// Generated: change the metadata, not this file.
// From   role porter
// Slice  sha256:8d2578b1

import {
  defineRole,
  deleteRows,
  selectAggregate,
  selectGroups,
  selectMany,
  streamRows,
} from "engine/support";
import { house } from "./default/public.house.js";
import { lodger } from "./default/public.lodger.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const query = {
  house: selectMany(() => house),
  lodger: selectMany(() => lodger),
  lodger_aggregate: selectAggregate(() => lodger),
  lodger_group: selectGroups(() => lodger),
};

/** Root fields of role porter. */
export const role = defineRole({
  role: "porter",
  query,
  subscription: {
    ...query,
    house_stream: streamRows(() => house),
    lodger_stream: streamRows(() => lodger),
  },
  mutation: { delete_lodger: deleteRows(() => lodger) },
  tables: () => tables,
});
