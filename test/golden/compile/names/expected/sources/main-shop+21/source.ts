// Generated: change the metadata, not this file.
// From   source Main Shop (postgres)
// Slice  sha256:9dfcd293

import { defineSource, engineDefault, postgres } from "engine/support";

export const Main_Shop = defineSource({
  name: "Main Shop",
  dialect: postgres,
  naming: engineDefault({ typePrefix: "T_", typeSuffix: "_x" }),
});
