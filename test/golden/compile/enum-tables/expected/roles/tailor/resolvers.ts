// Generated: change the metadata, not this file.
// From   role tailor
// Slice  sha256:588d812d

import { defineRole, selectByPk, selectMany } from "engine/support";
import { shirt } from "./default/public.shirt.js";
import { size } from "./default/public.size.js";

/** What role tailor may ask. */
export const role = defineRole({
  role: "tailor",
  query: {
    shirt: selectMany(() => shirt),
    shirt_by_pk: selectByPk(() => shirt),
    size: selectMany(() => size),
    size_by_pk: selectByPk(() => size),
  },
  tables: { default: { public: { shirt: () => shirt, size: () => size } } },
});
