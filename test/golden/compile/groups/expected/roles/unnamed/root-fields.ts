// Generated: change the metadata, not this file.
// From   roles that the metadata does not name
// Slice  sha256:0be5c555

import { defineRole } from "engine/support";

/** Root fields of roles that the metadata does not name. */
export const role = defineRole({ role: "", query: {} });
