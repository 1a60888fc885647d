// Generated: change the metadata, not this file.
// From   role admin: tables
// Slice  sha256:03cd682e

import { type TablesByName } from "engine/support";
import { orders } from "./default/public.orders.js";
import { person } from "./default/public.person.js";
import { price } from "./default/public.price.js";
import { reading } from "./default/public.reading.js";
import { visitor } from "./default/public.visitor.js";

/** Tables on which role admin has a permission. */
export const tables: TablesByName = {
  default: {
    public: {
      orders: () => orders,
      person: () => person,
      price: () => price,
      reading: () => reading,
      visitor: () => visitor,
    },
  },
};
