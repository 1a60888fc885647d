// Generated: change the metadata, not this file.
// From   query visits by town of collection reports
// Slice  sha256:3ed8439d

import { savedOperation, variable } from "engine/support";

/** Saved query visits by town. */
export const operation = savedOperation({
  collection: "reports",
  name: "visits by town",
  operationName: "VisitsByTown",
  kind: "query",
  text: `query VisitsByTown($width: Float!, $zone: String!, $least: Int!) {
  town {
    visits_group(
      by: [{ column: spent, width: $width }, { column: at, part: month, time_zone: $zone }]
      having: { count: { predicate: { _gte: $least } } }
    ) {
      key { _bucket(column: spent) _part(column: at, part: month) }
      aggregate { count }
      nodes(limit: 2) { at }
    }
  }
}
`,
  variables: { width: variable("Float!"), zone: variable("String!"), least: variable("Int!") },
});
