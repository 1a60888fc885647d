// Generated: change the metadata, not this file.
// From   query filtered of collection app
// Slice  sha256:1f28a8fb

import { savedOperation, variable } from "engine/support";

/** Saved query filtered. */
export const operation = savedOperation({
  collection: "app",
  name: "filtered",
  operationName: "Filtered",
  kind: "query",
  text: `query Filtered($where: book_bool_exp!, $by: [book_order_by!] = [{title: asc}]) { book(where: $where, order_by: $by) { title } }`,
  variables: {
    where: variable("book_bool_exp!"),
    by: variable("[book_order_by!]", { default: [{ title: "asc" }] }),
  },
});
