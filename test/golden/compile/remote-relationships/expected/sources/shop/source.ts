// Generated: change the metadata, not this file.
// From   source shop (postgres)
// Slice  sha256:aaa322cb

import { defineSource, engineDefault, postgres } from "engine/support";

export const shop = defineSource({ name: "shop", dialect: postgres, naming: engineDefault() });
