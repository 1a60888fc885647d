// Generated: change the metadata, not this file.
// From   role columns
// Slice  sha256:ba53b91a

import { defineRole, selectByPk, selectMany } from "engine/support";
import { purchase } from "./default/public.purchase.js";

/** What role columns may ask. */
export const role = defineRole({
  role: "columns",
  query: { purchase: selectMany(() => purchase), purchase_by_pk: selectByPk(() => purchase) },
  tables: { default: { public: { purchase: () => purchase } } },
});
