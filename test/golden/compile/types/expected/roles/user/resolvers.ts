// Generated: change the metadata, not this file.
// From   role user
// Slice  sha256:08f00f14

import { defineRole, selectByPk, selectMany } from "engine/support";
import { sample } from "./default/public.sample.js";

/** What role user may ask. */
export const role = defineRole({
  role: "user",
  query: { sample: selectMany(() => sample), sample_by_pk: selectByPk(() => sample) },
  tables: { default: { public: { sample: () => sample } } },
});
