// Generated: change the metadata, not this file.
// From   source people (postgres)
// Slice  sha256:acc14b50

import { defineSource, engineDefault, postgres } from "engine/support";

export const people = defineSource({ name: "people", dialect: postgres, naming: engineDefault() });
