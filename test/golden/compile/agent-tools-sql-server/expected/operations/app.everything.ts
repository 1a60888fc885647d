// Generated: change the metadata, not this file.
// From   query everything of collection app
// Slice  sha256:5db08a38

import { savedOperation, variable } from "engine/support";

/** Saved query everything. */
export const operation = savedOperation({
  collection: "app",
  name: "everything",
  operationName: "Everything",
  kind: "query",
  text: `# Reads every column that a reader sees.
query Everything($since: datetimeoffset, $most: Float = 99.5, $codes: [uniqueidentifier!], $prices: Boolean!) {
  book(where: {added_at: {_gte: $since}, price: {_lte: $most}, code: {_in: $codes}}, order_by: {id: asc}) {
    id title price @include(if: $prices) weight is_lent published_on added_at code
    author { name }
  }
  book_aggregate { aggregate { count max { title } } }
}`,
  variables: {
    since: variable("datetimeoffset"),
    most: variable("Float", { default: 99.5 }),
    codes: variable("[uniqueidentifier!]"),
    prices: variable("Boolean!"),
  },
});
