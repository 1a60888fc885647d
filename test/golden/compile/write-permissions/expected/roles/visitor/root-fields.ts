// Generated: change the metadata, not this file.
// From   role visitor
// Slice  sha256:1a5c74ac

import { defineRole, insertRows } from "engine/support";
import { client } from "./default/public.client.js";
import { tables } from "./tables.js";

/** Root fields of role visitor. */
export const role = defineRole({
  role: "visitor",
  query: {},
  mutation: { insert_client: insertRows(() => client) },
  tables: () => tables,
});
