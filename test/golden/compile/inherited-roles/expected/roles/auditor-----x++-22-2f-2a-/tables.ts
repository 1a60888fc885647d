// Generated: change the metadata, not this file.
// From   role auditor "/* x: tables
// Slice  sha256:af4ec148

import { type TablesByName } from "engine/support";
import { lodger } from "./default/public.lodger.js";

/** Tables on which role auditor "/* x has a permission. */
export const tables: TablesByName = { default: { public: { lodger: () => lodger } } };
