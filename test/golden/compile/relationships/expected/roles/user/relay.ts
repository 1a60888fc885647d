// Generated: change the metadata, not this file.
// From   role user: Relay API
// Slice  sha256:eecebe75

import { defineRelay, selectConnection, selectNode } from "engine/support";
import { booking } from "./default/public.booking.js";
import { person } from "./default/public.person.js";
import { room } from "./default/public.room.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const roots = {
  booking_connection: selectConnection(() => booking),
  node: selectNode(tables),
  person_connection: selectConnection(() => person),
  room_connection: selectConnection(() => room),
};

/** Root fields of the Relay API for role user, except mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });
