// Generated: change the metadata, not this file.
// From   role admin: Relay API
// Slice  sha256:94f6ba10

import { defineRelay, selectConnection, selectNode } from "engine/support";
import { booking } from "./default/public.booking.js";
import { person } from "./default/public.person.js";
import { room } from "./default/public.room.js";
import { secret } from "./default/public.secret.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const roots = {
  booking_connection: selectConnection(() => booking),
  node: selectNode(tables),
  person_connection: selectConnection(() => person),
  room_connection: selectConnection(() => room),
  secret_connection: selectConnection(() => secret),
};

/** Root fields of the Relay API for role admin, except mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });
