// Generated: change the metadata, not this file.
// From   role admin
// Slice  sha256:f62afeec

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
import { booking } from "./default/public.booking.js";
import { person } from "./default/public.person.js";
import { room } from "./default/public.room.js";
import { secret } from "./default/public.secret.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const query = {
  booking: selectMany(() => booking),
  booking_aggregate: selectAggregate(() => booking),
  booking_by_pk: selectByPk(() => booking),
  booking_group: selectGroups(() => booking),
  person: selectMany(() => person),
  person_aggregate: selectAggregate(() => person),
  person_by_pk: selectByPk(() => person),
  person_group: selectGroups(() => person),
  room: selectMany(() => room),
  room_aggregate: selectAggregate(() => room),
  room_by_pk: selectByPk(() => room),
  room_group: selectGroups(() => room),
  secret: selectMany(() => secret),
  secret_aggregate: selectAggregate(() => secret),
  secret_by_pk: selectByPk(() => secret),
  secret_group: selectGroups(() => secret),
};

/** Root fields of role admin. */
export const role = defineRole({
  role: "admin",
  query,
  subscription: {
    ...query,
    booking_stream: streamRows(() => booking),
    person_stream: streamRows(() => person),
    room_stream: streamRows(() => room),
    secret_stream: streamRows(() => secret),
  },
  mutation: {
    delete_booking: deleteRows(() => booking),
    delete_booking_by_pk: deleteByPk(() => booking),
    delete_person: deleteRows(() => person),
    delete_person_by_pk: deleteByPk(() => person),
    delete_room: deleteRows(() => room),
    delete_room_by_pk: deleteByPk(() => room),
    delete_secret: deleteRows(() => secret),
    delete_secret_by_pk: deleteByPk(() => secret),
    insert_booking: insertRows(() => booking),
    insert_booking_one: insertRow(() => booking),
    insert_person: insertRows(() => person),
    insert_person_one: insertRow(() => person),
    insert_room: insertRows(() => room),
    insert_room_one: insertRow(() => room),
    insert_secret: insertRows(() => secret),
    insert_secret_one: insertRow(() => secret),
    update_booking: updateRows(() => booking),
    update_booking_by_pk: updateByPk(() => booking),
    update_booking_many: updateMany(() => booking),
    update_person: updateRows(() => person),
    update_person_by_pk: updateByPk(() => person),
    update_person_many: updateMany(() => person),
    update_room: updateRows(() => room),
    update_room_by_pk: updateByPk(() => room),
    update_room_many: updateMany(() => room),
    update_secret: updateRows(() => secret),
    update_secret_by_pk: updateByPk(() => secret),
    update_secret_many: updateMany(() => secret),
  },
  tables: () => tables,
});
