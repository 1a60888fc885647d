// Generated: change the metadata, not this file.
// From   role admin: Relay API
// Slice  sha256:d9e61702

import { defineRelay, selectConnection, selectNode } from "engine/support";
import { booking } from "./default/public.booking.js";
import { person } from "./default/public.person.js";
import { room } from "./default/public.room.js";
import { secret } from "./default/public.secret.js";

/** Fields of queries and of subscriptions. */
const roots = {
  booking_connection: selectConnection(() => booking),
  node: selectNode({
    default: {
      public: {
        booking: () => booking,
        person: () => person,
        room: () => room,
        secret: () => secret,
      },
    },
  }),
  person_connection: selectConnection(() => person),
  room_connection: selectConnection(() => room),
  secret_connection: selectConnection(() => secret),
};

/** What role admin may ask of the Relay API, besides its mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });
