// Generated: change the metadata, not this file.
// From   role auditing_porter: tables
// Slice  sha256:36baa3b0

import { type TablesByName } from "engine/support";
import { house } from "./default/public.house.js";
import { lodger } from "./default/public.lodger.js";

/** Tables on which role auditing_porter has a permission. */
export const tables: TablesByName = {
  default: { public: { house: () => house, lodger: () => lodger } },
};
