// Generated: change the metadata, not this file.
// From   query lend of collection desk
// Slice  sha256:a4c6f75e

import { savedOperation, variable } from "engine/support";

/** Saved mutation lend. */
export const operation = savedOperation({
  collection: "desk",
  name: "lend",
  operationName: "Lend",
  kind: "mutation",
  text: `mutation Lend($copy: Int!, $member: uuid!, $until: date!) {
  insert_loan_one(object: {copy_id: $copy, member_id: $member, due_on: $until}) {
    id
  }
}`,
  variables: { copy: variable("Int!"), member: variable("uuid!"), until: variable("date!") },
});
