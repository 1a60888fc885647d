// Generated: change the metadata, not this file.
// From   role user
// Slice  sha256:60f52f64

import {
  defineRole,
  selectAggregate,
  selectByPk,
  selectGroups,
  selectMany,
  streamRows,
} from "engine/support";
import { booking } from "./default/public.booking.js";
import { person } from "./default/public.person.js";
import { room } from "./default/public.room.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const query = {
  booking: selectMany(() => booking),
  booking_by_pk: selectByPk(() => booking),
  person: selectMany(() => person),
  person_aggregate: selectAggregate(() => person),
  person_by_pk: selectByPk(() => person),
  person_group: selectGroups(() => person),
  room: selectMany(() => room),
};

/** Root fields of role user. */
export const role = defineRole({
  role: "user",
  query,
  subscription: {
    ...query,
    booking_stream: streamRows(() => booking),
    person_stream: streamRows(() => person),
    room_stream: streamRows(() => room),
  },
  tables: () => tables,
});
