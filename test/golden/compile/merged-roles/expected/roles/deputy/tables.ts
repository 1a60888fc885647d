// Generated: change the metadata, not this file.
// From   role deputy: tables
// Slice  sha256:4abf662c

import { type TablesByName } from "engine/support";
import { house } from "./default/public.house.js";
import { lodger } from "./default/public.lodger.js";

/** Tables on which role deputy has a permission. */
export const tables: TablesByName = {
  default: { public: { house: () => house, lodger: () => lodger } },
};
