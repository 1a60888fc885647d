// Generated: change the metadata, not this file.
// From   query rename of collection app: role editor
// Slice  sha256:af6ed70a

import {
  fromVariable,
  mutationPlan,
  notNull,
  pg,
  savedPlans,
  value,
  wholeSessionValue,
  write,
  writeOf,
  writeStep,
} from "engine/support";

/** Plans of query rename of collection app for role editor. */
export const plans = savedPlans({
  always: mutationPlan({
    writes: [
      write(
        "default",
        [
          writeStep(
            `with t2 as (
  update "public"."book" as t1
  set "title" = $1::text
  where ((select set_config('engine.user', $2, true)) is not null) and (t1."title" = $3::text)
  returning t1."id", t1."title"
)
select
  (
    select coalesce(json_agg(r.*), '[]')
    from (select t3."id" as "id", t3."title" as "title" from t2 t3) r
  )::text,
  count(*)::text
from t2`,
            [
              value(
                fromVariable("to"),
                notNull(pg("text")),
                "$.selectionSet.update_book.args._set.title",
              ),
              wholeSessionValue,
              value(
                fromVariable("from"),
                pg("text"),
                "$.selectionSet.update_book.args.where.title._eq",
              ),
            ],
            "$",
            { setsUser: true },
          ),
        ],
        [
          "{\"affected_rows\":",
          { sum: [{ step: 0, column: 1 }] },
          ",\"returning\":",
          { step: 0, column: 0 },
          "}",
        ],
      ),
    ],
    parts: [writeOf("update_book", { write: 0 })],
  }),
});
