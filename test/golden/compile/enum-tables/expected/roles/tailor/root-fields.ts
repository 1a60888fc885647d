// Generated: change the metadata, not this file.
// From   role tailor
// Slice  sha256:858463cf

import { defineRole, selectByPk, selectMany, streamRows } from "engine/support";
import { shirt } from "./default/public.shirt.js";
import { size } from "./default/public.size.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const query = {
  shirt: selectMany(() => shirt),
  shirt_by_pk: selectByPk(() => shirt),
  size: selectMany(() => size),
  size_by_pk: selectByPk(() => size),
};

/** Root fields of role tailor. */
export const role = defineRole({
  role: "tailor",
  query,
  subscription: {
    ...query,
    shirt_stream: streamRows(() => shirt),
    size_stream: streamRows(() => size),
  },
  tables: () => tables,
});
