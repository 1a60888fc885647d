// Generated: change the metadata, not this file.
// From   role admin
// Slice  sha256:0286252d

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
import { sample } from "./default/public.sample.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const query = {
  sample: selectMany(() => sample),
  sample_aggregate: selectAggregate(() => sample),
  sample_by_pk: selectByPk(() => sample),
  sample_group: selectGroups(() => sample),
};

/** Root fields of role admin. */
export const role = defineRole({
  role: "admin",
  query,
  subscription: { ...query, sample_stream: streamRows(() => sample) },
  mutation: {
    delete_sample: deleteRows(() => sample),
    delete_sample_by_pk: deleteByPk(() => sample),
    insert_sample: insertRows(() => sample),
    insert_sample_one: insertRow(() => sample),
    update_sample: updateRows(() => sample),
    update_sample_by_pk: updateByPk(() => sample),
    update_sample_many: updateMany(() => sample),
  },
  tables: () => tables,
});
