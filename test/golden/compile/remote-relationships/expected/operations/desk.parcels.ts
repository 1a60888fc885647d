// Generated: change the metadata, not this file.
// From   query parcels of collection desk
// Slice  sha256:5348ac4f

import { savedOperation, variable } from "engine/support";

/** Saved query parcels. */
export const operation = savedOperation({
  collection: "desk",
  name: "parcels",
  operationName: "Parcels",
  kind: "query",
  text: `query Parcels($first: Int = 2) {
  orders {
    package: parcel { __typename key: id weight stops(first: $first) { ...at } order { id parcel { weight } } }
    bundle { weight }
  }
}
fragment at on Stop { town }
`,
  variables: { first: variable("Int", { default: 2 }) },
});
