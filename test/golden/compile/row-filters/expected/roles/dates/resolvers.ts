// Generated: change the metadata, not this file.
// From   role dates
// Slice  sha256:b45cc38d

import { defineRole, selectByPk, selectMany } from "engine/support";
import { purchase } from "./default/public.purchase.js";

/** What role dates may ask. */
export const role = defineRole({
  role: "dates",
  query: { purchase: selectMany(() => purchase), purchase_by_pk: selectByPk(() => purchase) },
  tables: { default: { public: { purchase: () => purchase } } },
});
