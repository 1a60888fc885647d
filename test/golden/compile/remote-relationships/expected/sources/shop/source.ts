// Generated: change the metadata, not this file.
// From   source shop (postgres)
// Slice  sha256:65d9c4eb

import { defineSource, engineDefault, postgres } from "engine/support";

export const shop = defineSource({ name: "shop", dialect: postgres, naming: engineDefault() });
