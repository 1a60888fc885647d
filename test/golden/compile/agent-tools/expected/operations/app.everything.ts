// Generated: change the metadata, not this file.
// From   query everything of collection app
// Slice  sha256:3763a64f

import { savedOperation, variable } from "engine/support";

/** Saved query everything. */
export const operation = savedOperation({
  collection: "app",
  name: "everything",
  operationName: "Everything",
  kind: "query",
  text: `# Reads every column that a reader sees.
query Everything($since: timestamptz, $most: numeric = 99.5, $binding: [binding!], $prices: Boolean!) {
  book(where: {added_at: {_gte: $since}, price: {_lte: $most}, binding: {_in: $binding}}) {
    id title price @include(if: $prices) weight is_lent published_on added_at code tags binding notes
    first: notes(path: "$[0]")
  }
  book_aggregate { aggregate { count avg { price } max { title added_at } } }
}`,
  variables: {
    since: variable("timestamptz"),
    most: variable("numeric", { default: 99.5 }),
    binding: variable("[binding!]"),
    prices: variable("Boolean!"),
  },
});
