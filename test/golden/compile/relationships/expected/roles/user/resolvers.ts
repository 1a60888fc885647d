// Generated: change the metadata, not this file.
// From   role user
// Slice  sha256:1b837c55

import { defineRole, selectAggregate, selectByPk, selectMany } from "engine/support";
import { booking } from "./default/public.booking.js";
import { person } from "./default/public.person.js";
import { room } from "./default/public.room.js";

/** What role user may ask. */
export const role = defineRole({
  role: "user",
  query: {
    booking: selectMany(() => booking),
    booking_by_pk: selectByPk(() => booking),
    person: selectMany(() => person),
    person_aggregate: selectAggregate(() => person),
    person_by_pk: selectByPk(() => person),
    room: selectMany(() => room),
  },
  tables: {
    default: { public: { booking: () => booking, person: () => person, room: () => room } },
  },
});
