// Generated: change the metadata, not this file.
// From   role census: tables
// Slice  sha256:aec1b970

import { type TablesByName } from "engine/support";
import { author } from "./default/public.author.js";

/** Tables on which role census has a permission. */
export const tables: TablesByName = { default: { public: { author: () => author } } };
