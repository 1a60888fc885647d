// Generated: change the metadata, not this file.
// From   role admin
// Slice  sha256:4da0b8f5

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
import { orders } from "./default/public.orders.js";
import { person } from "./default/public.person.js";
import { price } from "./default/public.price.js";
import { reading } from "./default/public.reading.js";
import { visitor } from "./default/public.visitor.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const query = {
  orders: selectMany(() => orders),
  orders_aggregate: selectAggregate(() => orders),
  orders_by_pk: selectByPk(() => orders),
  orders_group: selectGroups(() => orders),
  person: selectMany(() => person),
  person_aggregate: selectAggregate(() => person),
  person_by_pk: selectByPk(() => person),
  person_group: selectGroups(() => person),
  price: selectMany(() => price),
  price_aggregate: selectAggregate(() => price),
  price_by_pk: selectByPk(() => price),
  price_group: selectGroups(() => price),
  reading: selectMany(() => reading),
  reading_aggregate: selectAggregate(() => reading),
  reading_by_pk: selectByPk(() => reading),
  reading_group: selectGroups(() => reading),
  visitor: selectMany(() => visitor),
  visitor_aggregate: selectAggregate(() => visitor),
  visitor_by_pk: selectByPk(() => visitor),
  visitor_group: selectGroups(() => visitor),
};

/** Root fields of role admin. */
export const role = defineRole({
  role: "admin",
  query,
  subscription: {
    ...query,
    orders_stream: streamRows(() => orders),
    person_stream: streamRows(() => person),
    price_stream: streamRows(() => price),
    reading_stream: streamRows(() => reading),
    visitor_stream: streamRows(() => visitor),
  },
  mutation: {
    delete_orders: deleteRows(() => orders),
    delete_orders_by_pk: deleteByPk(() => orders),
    delete_person: deleteRows(() => person),
    delete_person_by_pk: deleteByPk(() => person),
    delete_price: deleteRows(() => price),
    delete_price_by_pk: deleteByPk(() => price),
    delete_reading: deleteRows(() => reading),
    delete_reading_by_pk: deleteByPk(() => reading),
    delete_visitor: deleteRows(() => visitor),
    delete_visitor_by_pk: deleteByPk(() => visitor),
    insert_orders: insertRows(() => orders),
    insert_orders_one: insertRow(() => orders),
    insert_person: insertRows(() => person),
    insert_person_one: insertRow(() => person),
    insert_price: insertRows(() => price),
    insert_price_one: insertRow(() => price),
    insert_reading: insertRows(() => reading),
    insert_reading_one: insertRow(() => reading),
    insert_visitor: insertRows(() => visitor),
    insert_visitor_one: insertRow(() => visitor),
    update_orders: updateRows(() => orders),
    update_orders_by_pk: updateByPk(() => orders),
    update_orders_many: updateMany(() => orders),
    update_person: updateRows(() => person),
    update_person_by_pk: updateByPk(() => person),
    update_person_many: updateMany(() => person),
    update_price: updateRows(() => price),
    update_price_by_pk: updateByPk(() => price),
    update_price_many: updateMany(() => price),
    update_reading: updateRows(() => reading),
    update_reading_by_pk: updateByPk(() => reading),
    update_reading_many: updateMany(() => reading),
    update_visitor: updateRows(() => visitor),
    update_visitor_by_pk: updateByPk(() => visitor),
    update_visitor_many: updateMany(() => visitor),
  },
  tables: () => tables,
});
