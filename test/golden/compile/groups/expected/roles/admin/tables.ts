// Generated: change the metadata, not this file.
// From   role admin: tables
// Slice  sha256:7aecb0d1

import { type TablesByName } from "engine/support";
import { town } from "./default/public.town.js";
import { visit } from "./default/public.visit.js";
import { visit_group } from "./default/public.visit_group.js";

/** Tables on which role admin has a permission. */
export const tables: TablesByName = {
  default: { public: { town: () => town, visit: () => visit, visit_group: () => visit_group } },
};
