// Generated: change the metadata, not this file.
// From   role clerk
// Slice  sha256:d9297df5

import {
  defineRole,
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
import { client } from "./default/public.client.js";
import { invoice } from "./default/public.invoice.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const query = { invoice: selectMany(() => invoice), invoice_by_pk: selectByPk(() => invoice) };

/** Root fields of role clerk. */
export const role = defineRole({
  role: "clerk",
  query,
  subscription: { ...query, invoice_stream: streamRows(() => invoice) },
  mutation: {
    delete_client: deleteRows(() => client, { backendOnly: true }),
    insert_client: insertRows(() => client),
    insert_invoice: insertRows(() => invoice),
    insert_invoice_one: insertRow(() => invoice),
    update_client: updateRows(() => client),
    update_client_many: updateMany(() => client),
    update_invoice: updateRows(() => invoice),
    update_invoice_by_pk: updateByPk(() => invoice),
    update_invoice_many: updateMany(() => invoice),
  },
  tables: () => tables,
});
