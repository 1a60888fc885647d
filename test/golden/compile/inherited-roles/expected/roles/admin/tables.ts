// Generated: change the metadata, not this file.
// From   role admin: tables
// Slice  sha256:ff219132

import { type TablesByName } from "engine/support";
import { house } from "./default/public.house.js";
import { lodger } from "./default/public.lodger.js";

/** The tables that role admin has some permission on. */
export const tables: TablesByName = {
  default: { public: { house: () => house, lodger: () => lodger } },
};
