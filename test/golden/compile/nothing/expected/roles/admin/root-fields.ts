// Generated: change the metadata, not this file.
// From   role admin
// Slice  sha256:add9457b

import { defineRole } from "engine/support";

/** Root fields of role admin. */
export const role = defineRole({ role: "admin", query: {} });
