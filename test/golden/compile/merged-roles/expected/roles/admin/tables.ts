// Generated: change the metadata, not this file.
// From   role admin: tables
// Slice  sha256:ff219132

import { type TablesByName } from "engine/support";
import { house } from "./default/public.house.js";
import { lodger } from "./default/public.lodger.js";

/** Tables on which role admin has a permission. */
export const tables: TablesByName = {
  default: { public: { house: () => house, lodger: () => lodger } },
};
