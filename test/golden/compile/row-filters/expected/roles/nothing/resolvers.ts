// Generated: change the metadata, not this file.
// From   role nothing
// Slice  sha256:888e8430

import { defineRole, selectByPk, selectMany } from "engine/support";
import { purchase } from "./default/public.purchase.js";

/** What role nothing may ask. */
export const role = defineRole({
  role: "nothing",
  query: { purchase: selectMany(() => purchase), purchase_by_pk: selectByPk(() => purchase) },
  tables: { default: { public: { purchase: () => purchase } } },
});
