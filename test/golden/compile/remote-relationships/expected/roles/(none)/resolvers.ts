// Generated: change the metadata, not this file.
// From   a role that the metadata does not name
// Slice  sha256:0be5c555

import { defineRole } from "engine/support";

/** What a role that the metadata does not name may ask. */
export const role = defineRole({ role: "", query: {} });
