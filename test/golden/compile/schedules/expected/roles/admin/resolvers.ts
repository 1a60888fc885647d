// Generated: change the metadata, not this file.
// From   role admin
// Slice  sha256:add9457b

import { defineRole } from "engine/support";

/** What role admin may ask. */
export const role = defineRole({ role: "admin", query: {} });
