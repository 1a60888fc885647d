// Generated: change the metadata, not this file.
// From   role admin
// Slice  sha256:4a2563bf

import {
  actionResult,
  callAction,
  defineRole,
  deleteByPk,
  deleteRows,
  insertRow,
  insertRows,
  selectAggregate,
  selectByPk,
  selectGroups,
  selectMany,
  startAction,
  streamRows,
  updateByPk,
  updateMany,
  updateRows,
} from "engine/support";
import { action as later } from "../../actions/later.js";
import { action as place_order } from "../../actions/place_order.js";
import { action as sizes } from "../../actions/sizes.js";
import { Order } from "./actions/order+1.js";
import { person } from "./default/public.person.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const fields = {
  /** later(id: uuid!), the result of a finished call */
  later: actionResult(() => later),
  person: selectMany(() => person),
  person_aggregate: selectAggregate(() => person),
  person_by_pk: selectByPk(() => person),
  person_group: selectGroups(() => person),
};

/** Root fields of role admin. */
export const role = defineRole({
  role: "admin",
  query: {
    ...fields,
    /** sizes: [Size!] by {{CHECK_PATH}}/sizes */
    sizes: callAction(() => sizes),
  },
  subscription: { ...fields, person_stream: streamRows(() => person) },
  mutation: {
    delete_person: deleteRows(() => person),
    delete_person_by_pk: deleteByPk(() => person),
    insert_person: insertRows(() => person),
    insert_person_one: insertRow(() => person),
    /** later: Address by {{CHECK_PATH}}/later, asynchronous */
    later: startAction(() => later),
    /**
     * place_order(items: [Item!]!, note: json): Order! by {{CHECK_PATH}}/order, with the client's
     * headers except Cookie, Accept
     */
    place_order: callAction(() => place_order, { Order: () => Order }),
    update_person: updateRows(() => person),
    update_person_by_pk: updateByPk(() => person),
    update_person_many: updateMany(() => person),
  },
  tables: () => tables,
});
