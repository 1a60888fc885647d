// Generated: change the metadata, not this file.
// From   role guest: tables
// Slice  sha256:1c367326

import { type TablesByName } from "engine/support";
import { author } from "./default/dbo.author.js";
import { loan } from "./default/dbo.loan.js";

/** Tables on which role guest has a permission. */
export const tables: TablesByName = {
  default: { dbo: { author: () => author, loan: () => loan } },
};
