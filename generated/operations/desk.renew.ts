// Generated: change the metadata, not this file.
// From   query renew of collection desk
// Slice  sha256:6637ee1a

import { savedOperation, variable } from "engine/support";

/** Saved mutation renew. */
export const operation = savedOperation({
  collection: "desk",
  name: "renew",
  operationName: "Renew",
  kind: "mutation",
  text: `mutation Renew($loan: bigint!, $until: date!) {
  update_loan_by_pk(pk_columns: {id: $loan}, _set: {due_on: $until}) {
    id
    due_on
  }
}`,
  variables: { loan: variable("bigint!"), until: variable("date!") },
});
