// Generated: change the metadata, not this file.
// From   role lodger: tables
// Slice  sha256:b4a0e84a

import { type TablesByName } from "engine/support";
import { house } from "./default/public.house.js";
import { lodger } from "./default/public.lodger.js";

/** The tables that role lodger has some permission on. */
export const tables: TablesByName = {
  default: { public: { house: () => house, lodger: () => lodger } },
};
