// Generated: change the metadata, not this file.
// From   source default (postgres)
// Slice  sha256:4c6d81fb

import { defineSource, graphqlDefault, postgres } from "engine/support";

export const defaultSource = defineSource({
  name: "default",
  dialect: postgres,
  naming: graphqlDefault({ typeSuffix: "_v1" }),
});
