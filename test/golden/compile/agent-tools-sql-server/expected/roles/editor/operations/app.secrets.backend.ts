// Generated: change the metadata, not this file.
// From   query secrets of collection app: role editor, from a backend
// Slice  sha256:1e26bd24

import { columnOf, queryPlan, savedPlans, statement } from "engine/support";

/** Plans of query secrets of collection app for role editor, from a backend. */
export const plans = savedPlans({
  always: queryPlan({
    statements: [
      statement(
        "default",
        `select json_query(
  isnull(
    (
      select t1.[title] as [title]
      from [dbo].[book] t1
      where t1.[secret] is not null
      for json path, include_null_values
    ),
    N'[]'
  )
)`,
        [],
      ),
    ],
    parts: [columnOf("book", { statement: 0, column: 0 })],
  }),
});
