// Generated: change the metadata, not this file.
// From   role resident_porter
// Slice  sha256:4b16f761

import {
  defineRole,
  deleteByPk,
  deleteRows,
  insertRow,
  insertRows,
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
const query = { lodger: selectMany(() => lodger), lodger_by_pk: selectByPk(() => lodger) };

/** Root fields of role resident_porter. */
export const role = defineRole({
  role: "resident_porter",
  query,
  subscription: { ...query, lodger_stream: streamRows(() => lodger) },
  mutation: {
    delete_lodger: deleteRows(() => lodger, { backendOnly: true }),
    delete_lodger_by_pk: deleteByPk(() => lodger, { backendOnly: true }),
    insert_house: insertRows(() => house),
    insert_lodger: insertRows(() => lodger),
    insert_lodger_one: insertRow(() => lodger),
    update_lodger: updateRows(() => lodger),
    update_lodger_by_pk: updateByPk(() => lodger),
    update_lodger_many: updateMany(() => lodger),
  },
  tables: () => tables,
});
