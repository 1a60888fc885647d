// Generated: change the metadata, not this file.
// From   role admin
// Slice  sha256:55bb7db8

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
import { customer } from "./default/public.customer.js";
import { purchase } from "./default/public.purchase.js";
import { support_agent } from "./default/public.support_agent.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const query = {
  customer: selectMany(() => customer),
  customer_aggregate: selectAggregate(() => customer),
  customer_by_pk: selectByPk(() => customer),
  customer_group: selectGroups(() => customer),
  purchase: selectMany(() => purchase),
  purchase_aggregate: selectAggregate(() => purchase),
  purchase_by_pk: selectByPk(() => purchase),
  purchase_group: selectGroups(() => purchase),
  support_agent: selectMany(() => support_agent),
  support_agent_aggregate: selectAggregate(() => support_agent),
  support_agent_by_pk: selectByPk(() => support_agent),
  support_agent_group: selectGroups(() => support_agent),
};

/** Root fields of role admin. */
export const role = defineRole({
  role: "admin",
  query,
  subscription: {
    ...query,
    customer_stream: streamRows(() => customer),
    purchase_stream: streamRows(() => purchase),
    support_agent_stream: streamRows(() => support_agent),
  },
  mutation: {
    delete_customer: deleteRows(() => customer),
    delete_customer_by_pk: deleteByPk(() => customer),
    delete_purchase: deleteRows(() => purchase),
    delete_purchase_by_pk: deleteByPk(() => purchase),
    delete_support_agent: deleteRows(() => support_agent),
    delete_support_agent_by_pk: deleteByPk(() => support_agent),
    insert_customer: insertRows(() => customer),
    insert_customer_one: insertRow(() => customer),
    insert_purchase: insertRows(() => purchase),
    insert_purchase_one: insertRow(() => purchase),
    insert_support_agent: insertRows(() => support_agent),
    insert_support_agent_one: insertRow(() => support_agent),
    update_customer: updateRows(() => customer),
    update_customer_by_pk: updateByPk(() => customer),
    update_customer_many: updateMany(() => customer),
    update_purchase: updateRows(() => purchase),
    update_purchase_by_pk: updateByPk(() => purchase),
    update_purchase_many: updateMany(() => purchase),
    update_support_agent: updateRows(() => support_agent),
    update_support_agent_by_pk: updateByPk(() => support_agent),
    update_support_agent_many: updateMany(() => support_agent),
  },
  tables: () => tables,
});
