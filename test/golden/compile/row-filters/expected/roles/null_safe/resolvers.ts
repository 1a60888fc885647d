// Generated: change the metadata, not this file.
// From   role null_safe
// Slice  sha256:65a8d4f5

import { defineRole, selectByPk, selectMany } from "engine/support";
import { purchase } from "./default/public.purchase.js";

/** What role null_safe may ask. */
export const role = defineRole({
  role: "null_safe",
  query: { purchase: selectMany(() => purchase), purchase_by_pk: selectByPk(() => purchase) },
  tables: { default: { public: { purchase: () => purchase } } },
});
