// Generated: change the metadata, not this file.
// From   role guest: tables
// Slice  sha256:d879c334

import { type TablesByName } from "engine/support";
import { author } from "./default/public.author.js";
import { loan } from "./default/public.loan.js";

/** Tables on which role guest has a permission. */
export const tables: TablesByName = {
  default: { public: { author: () => author, loan: () => loan } },
};
