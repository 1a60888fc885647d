// Generated: change the metadata, not this file.
// From   role admin: Relay API
// Slice  sha256:2b4ad182

import { defineRelay, selectConnection, selectNode } from "engine/support";
import { orders } from "./default/public.orders.js";
import { person } from "./default/public.person.js";
import { price } from "./default/public.price.js";
import { reading } from "./default/public.reading.js";
import { visitor } from "./default/public.visitor.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const roots = {
  node: selectNode(tables),
  orders_connection: selectConnection(() => orders),
  person_connection: selectConnection(() => person),
  price_connection: selectConnection(() => price),
  reading_connection: selectConnection(() => reading),
  visitor_connection: selectConnection(() => visitor),
};

/** Root fields of the Relay API for role admin, except mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });
