// Generated: change the metadata, not this file.
// From   source default (postgres)
// Slice  sha256:5b35de0e

import { defineSource, engineDefault, postgres } from "engine/support";

export const defaultSource = defineSource({
  name: "default",
  dialect: postgres,
  naming: engineDefault(),
});
