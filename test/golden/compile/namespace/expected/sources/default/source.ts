// Generated: change the metadata, not this file.
// From   source default (postgres)
// Slice  sha256:07651e5d

import { defineSource, engineDefault, postgres } from "engine/support";

export const defaultSource = defineSource({
  name: "default",
  dialect: postgres,
  naming: engineDefault({ typePrefix: "Map_" }),
});
