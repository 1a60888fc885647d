// Generated: change the metadata, not this file.
// From   query counted of collection app: role editor, from a backend
// Slice  sha256:276ede1d

import {
  columnOf,
  fromVariable,
  pg,
  queryPlan,
  savedPlans,
  statement,
  value,
} from "engine/support";

/** Plans of query counted of collection app for role editor, from a backend. */
export const plans = savedPlans({
  always: queryPlan({
    statements: [
      statement(
        "default",
        `select f1.v::text
from (
  select coalesce(json_agg(r.*), '[]')
  from (select t1."title" as "title" from "public"."count_books"($1::text) t1) r
) f1(v)`,
        [value(fromVariable("word"), pg("text"), "$.selectionSet.count_books.args.args.word")],
        { callsFunctions: true },
      ),
    ],
    parts: [columnOf("count_books", { statement: 0, column: 0 })],
  }),
});
