// Generated: change the metadata, not this file.
// From   query renew of collection desk: role admin
// Slice  sha256:50c3b661

import {
  given,
  mutationPlan,
  notNull,
  pg,
  savedPlans,
  stepColumn,
  value,
  wholeSessionValue,
  write,
  writeOf,
  writeStep,
} from "engine/support";

/** What role admin runs for query renew of collection desk. */
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
              `update "public"."loan" as t1
set "due_on" = $1::date
where ((select set_config('engine.user', $2, true)) is not null) and (t1."id" = $3::int8)
returning json_build_object('id', t1."id", 'due_on', t1."due_on")::text`,
              [
                value(
                  given("until"),
                  notNull(pg("date")),
                  "$.selectionSet.update_loan_by_pk.args._set.due_on",
                ),
                wholeSessionValue,
                value(
                  given("loan"),
                  pg("int8"),
                  "$.selectionSet.update_loan_by_pk.args.pk_columns.id",
                ),
              ],
              "$",
              { setsUser: true },
            ),
          ],
          [stepColumn(0, 0)],
        ),
      ],
      parts: [writeOf("update_loan_by_pk", 0)],
    }),
  },
});
