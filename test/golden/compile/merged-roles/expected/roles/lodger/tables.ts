// Generated: change the metadata, not this file.
// From   role lodger: tables
// Slice  sha256:b4a0e84a

import { type TablesByName } from "engine/support";
import { house } from "./default/public.house.js";
import { lodger } from "./default/public.lodger.js";

/** Tables on which role lodger has a permission. */
export const tables: TablesByName = {
  default: { public: { house: () => house, lodger: () => lodger } },
};
