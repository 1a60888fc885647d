// Generated: change the metadata, not this file.
// From   query secrets of collection app: role editor, from a backend
// Slice  sha256:dd5c4dd7

import { columnOf, queryPlan, savedPlans, statement } from "engine/support";

/** Plans of query secrets of collection app for role editor, from a backend. */
export const plans = savedPlans({
  always: queryPlan({
    statements: [
      statement(
        "default",
        `select (
  select coalesce(json_agg(r.*), '[]')
  from (select t1."title" as "title" from "public"."book" t1 where t1."secret" is not null) r
)::text`,
        [],
      ),
    ],
    parts: [columnOf("book", { statement: 0, column: 0 })],
  }),
});
