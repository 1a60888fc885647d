// Generated: change the metadata, not this file.
// From   query my_loans of collection desk
// Slice  sha256:f6fc0e79

import { savedOperation } from "engine/support";

/** Saved query my_loans. */
export const operation = savedOperation({
  collection: "desk",
  name: "my_loans",
  operationName: "MyLoans",
  kind: "query",
  text: `query MyLoans {
  loan(where: {returned_on: {_is_null: true}}, order_by: [{due_on: asc}]) {
    id
    due_on
    copy { book { title } }
  }
}`,
  variables: {},
});
