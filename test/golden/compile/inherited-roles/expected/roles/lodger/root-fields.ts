// Generated: change the metadata, not this file.
// From   role lodger
// Slice  sha256:580b99ce

import {
  defineRole,
  selectByPk,
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
  lodger: selectMany(() => lodger),
  lodger_by_pk: selectByPk(() => lodger),
};

/** Root fields of role lodger. */
export const role = defineRole({
  role: "lodger",
  query,
  subscription: {
    ...query,
    house_stream: streamRows(() => house),
    lodger_stream: streamRows(() => lodger),
  },
  mutation: {
    update_lodger: updateRows(() => lodger),
    update_lodger_by_pk: updateByPk(() => lodger),
    update_lodger_many: updateMany(() => lodger),
  },
  tables: () => tables,
});
