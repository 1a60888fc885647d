// Generated: change the metadata, not this file.
// From   role user: tables
// Slice  sha256:d7a90493

import { type TablesByName } from "engine/support";
import { booking } from "./default/public.booking.js";
import { person } from "./default/public.person.js";
import { room } from "./default/public.room.js";

/** Tables on which role user has a permission. */
export const tables: TablesByName = {
  default: { public: { booking: () => booking, person: () => person, room: () => room } },
};
