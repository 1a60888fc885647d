// Generated: change the metadata, not this file.
// From   role auditor: tables
// Slice  sha256:18f44125

import { type TablesByName } from "engine/support";
import { lodger } from "./default/public.lodger.js";

/** Tables on which role auditor has a permission. */
export const tables: TablesByName = { default: { public: { lodger: () => lodger } } };
