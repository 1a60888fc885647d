// Generated: change the metadata, not this file.
// From   source default (postgres)
// Slice  sha256:1019e975

import { defineSource, engineDefault, postgres } from "engine/support";

export const defaultSource = defineSource({
  name: "default",
  dialect: postgres,
  naming: engineDefault({ typePrefix: "shop_" }),
});
