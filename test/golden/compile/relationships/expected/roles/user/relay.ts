// Generated: change the metadata, not this file.
// From   role user: Relay API
// Slice  sha256:4e153ea2

import { defineRelay, selectConnection, selectNode } from "engine/support";
import { booking } from "./default/public.booking.js";
import { person } from "./default/public.person.js";
import { room } from "./default/public.room.js";

/** Fields of queries and of subscriptions. */
const roots = {
  booking_connection: selectConnection(() => booking),
  node: selectNode({
    default: { public: { booking: () => booking, person: () => person, room: () => room } },
  }),
  person_connection: selectConnection(() => person),
  room_connection: selectConnection(() => room),
};

/** What role user may ask of the Relay API, besides its mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });
