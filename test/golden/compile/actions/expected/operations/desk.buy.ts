// Generated: change the metadata, not this file.
// From   query buy of collection desk
// Slice  sha256:8e41289b

import { savedOperation, variable } from "engine/support";

/** Saved mutation buy. */
export const operation = savedOperation({
  collection: "desk",
  name: "buy",
  operationName: "Buy",
  kind: "mutation",
  text: `mutation Buy($items: [Item!]!, $note: json = "none") {
  place_order(items: $items, note: {by: $note}) {
    id
    cost: price
    to { __typename city }
    person { name }
    parts { id friends { name } }
  }
}
`,
  variables: { items: variable("[Item!]!"), note: variable("json", { default: "none" }) },
});
