// Generated: change the metadata, not this file.
// From   role filtered: tables
// Slice  sha256:dba9444d

import { type TablesByName } from "engine/support";
import { author } from "./default/public.author.js";

/** Tables on which role filtered has a permission. */
export const tables: TablesByName = { default: { public: { author: () => author } } };
