// Generated: change the metadata, not this file.
// From   source default (mssql)
// Slice  sha256:c70578e1

import { defineSource, engineDefault, sqlServer } from "engine/support";

export const defaultSource = defineSource({
  name: "default",
  dialect: sqlServer,
  naming: engineDefault(),
});
