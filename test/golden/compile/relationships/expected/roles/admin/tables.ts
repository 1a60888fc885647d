// Generated: change the metadata, not this file.
// From   role admin: tables
// Slice  sha256:2dab29cc

import { type TablesByName } from "engine/support";
import { booking } from "./default/public.booking.js";
import { person } from "./default/public.person.js";
import { room } from "./default/public.room.js";
import { secret } from "./default/public.secret.js";

/** Tables on which role admin has a permission. */
export const tables: TablesByName = {
  default: {
    public: {
      booking: () => booking,
      person: () => person,
      room: () => room,
      secret: () => secret,
    },
  },
};
