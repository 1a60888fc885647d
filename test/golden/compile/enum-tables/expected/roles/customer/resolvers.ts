// Generated: change the metadata, not this file.
// From   role customer
// Slice  sha256:47ca0802

import { defineRole, selectAggregate, selectByPk, selectMany } from "engine/support";
import { shirt } from "./default/public.shirt.js";

/** What role customer may ask. */
export const role = defineRole({
  role: "customer",
  query: {
    shirt: selectMany(() => shirt),
    shirt_aggregate: selectAggregate(() => shirt),
    shirt_by_pk: selectByPk(() => shirt),
  },
  tables: { default: { public: { shirt: () => shirt } } },
});
