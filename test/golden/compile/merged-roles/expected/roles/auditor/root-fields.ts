// Generated: change the metadata, not this file.
// From   role auditor
// Slice  sha256:711e1c3e

import { defineRole, updateMany, updateRows } from "engine/support";
import { lodger } from "./default/public.lodger.js";
import { tables } from "./tables.js";

/** Root fields of role auditor. */
export const role = defineRole({
  role: "auditor",
  query: {},
  mutation: {
    update_lodger: updateRows(() => lodger),
    update_lodger_many: updateMany(() => lodger),
  },
  tables: () => tables,
});
