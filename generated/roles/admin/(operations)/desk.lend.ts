// Generated: change the metadata, not this file.
// From   query lend of collection desk: role admin
// Slice  sha256:0636e6fc

import {
  columnValues,
  given,
  mutationPlan,
  notNull,
  pg,
  postgres,
  rows,
  savedPlans,
  stepColumn,
  wholeSessionValue,
  write,
  writeOf,
  writeStep,
} from "engine/support";

/** Rows that the operation writes. */
const rowsToWrite = rows({
  members: [["copy_id", given("copy")], ["member_id", given("member")], ["due_on", given("until")]],
  path: "$.selectionSet.insert_loan_one.args.object",
  literal: false,
});

/** What role admin runs for query lend of collection desk. */
export const plans = savedPlans({
  optional: [],
  conditions: [],
  plans: {
    always: mutationPlan({
      writes: [
        write(
          "default",
          [
            writeStep(
              `insert into "public"."loan" as t1 ("copy_id", "member_id", "due_on")
select r.c1::int4, r.c2::uuid, r.c3::date
from unnest($1::text[], $2::text[], $3::text[]) as r(c1, c2, c3)
where (select set_config('engine.user', $4, true)) is not null
returning json_build_object('id', t1."id")::text`,
              [
                columnValues(postgres, rowsToWrite, "copy_id", notNull(pg("int4"))),
                columnValues(postgres, rowsToWrite, "member_id", notNull(pg("uuid"))),
                columnValues(postgres, rowsToWrite, "due_on", notNull(pg("date"))),
                wholeSessionValue,
              ],
              "$.selectionSet.insert_loan_one.args.object",
              { setsUser: true },
            ),
          ],
          [stepColumn(0, 0)],
        ),
      ],
      parts: [writeOf("insert_loan_one", 0)],
    }),
  },
});
