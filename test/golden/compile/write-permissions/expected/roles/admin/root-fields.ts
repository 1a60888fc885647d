// Generated: change the metadata, not this file.
// From   role admin
// Slice  sha256:b777613a

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
import { client } from "./default/public.client.js";
import { invoice } from "./default/public.invoice.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const query = {
  client: selectMany(() => client),
  client_aggregate: selectAggregate(() => client),
  client_by_pk: selectByPk(() => client),
  client_group: selectGroups(() => client),
  invoice: selectMany(() => invoice),
  invoice_aggregate: selectAggregate(() => invoice),
  invoice_by_pk: selectByPk(() => invoice),
  invoice_group: selectGroups(() => invoice),
};

/** Root fields of role admin. */
export const role = defineRole({
  role: "admin",
  query,
  subscription: {
    ...query,
    client_stream: streamRows(() => client),
    invoice_stream: streamRows(() => invoice),
  },
  mutation: {
    delete_client: deleteRows(() => client),
    delete_client_by_pk: deleteByPk(() => client),
    delete_invoice: deleteRows(() => invoice),
    delete_invoice_by_pk: deleteByPk(() => invoice),
    insert_client: insertRows(() => client),
    insert_client_one: insertRow(() => client),
    insert_invoice: insertRows(() => invoice),
    insert_invoice_one: insertRow(() => invoice),
    update_client: updateRows(() => client),
    update_client_by_pk: updateByPk(() => client),
    update_client_many: updateMany(() => client),
    update_invoice: updateRows(() => invoice),
    update_invoice_by_pk: updateByPk(() => invoice),
    update_invoice_many: updateMany(() => invoice),
  },
  tables: () => tables,
});
