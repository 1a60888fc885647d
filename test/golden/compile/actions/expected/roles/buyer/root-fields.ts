// Generated: change the metadata, not this file.
// From   role buyer
// Slice  sha256:d7752e98

import {
  callAction,
  defineRole,
  selectAggregate,
  selectByPk,
  selectGroups,
  selectMany,
  streamRows,
} from "engine/support";
import { action as place_order } from "../../actions/place_order.js";
import { Order } from "./actions/order+1.js";
import { person } from "./default/public.person.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const query = {
  person: selectMany(() => person),
  person_aggregate: selectAggregate(() => person),
  person_by_pk: selectByPk(() => person),
  person_group: selectGroups(() => person),
};

/** Root fields of role buyer. */
export const role = defineRole({
  role: "buyer",
  query,
  subscription: { ...query, person_stream: streamRows(() => person) },
  mutation: {
    /**
     * place_order(items: [Item!]!, note: json): Order! by {{CHECK_PATH}}/order, with the client's
     * headers except Cookie, Accept
     */
    place_order: callAction(() => place_order, { Order: () => Order }),
  },
  tables: () => tables,
});
