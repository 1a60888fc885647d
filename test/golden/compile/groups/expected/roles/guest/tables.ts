// Generated: change the metadata, not this file.
// From   role guest: tables
// Slice  sha256:d18de3ff

import { type TablesByName } from "engine/support";
import { town } from "./default/public.town.js";
import { visit } from "./default/public.visit.js";

/** Tables on which role guest has a permission. */
export const tables: TablesByName = {
  default: { public: { town: () => town, visit: () => visit } },
};
