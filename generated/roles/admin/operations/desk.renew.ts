// Generated: change the metadata, not this file.
// From   query renew of collection desk: role admin
// Slice  sha256:54b37504

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

/** Plans of query renew of collection desk for role admin. */
export const plans = savedPlans({
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
                fromVariable("until"),
                notNull(pg("date")),
                "$.selectionSet.update_loan_by_pk.args._set.due_on",
              ),
              wholeSessionValue,
              value(
                fromVariable("loan"),
                pg("int8"),
                "$.selectionSet.update_loan_by_pk.args.pk_columns.id",
              ),
            ],
            "$",
            { setsUser: true },
          ),
        ],
        [{ step: 0, column: 0 }],
      ),
    ],
    parts: [writeOf("update_loan_by_pk", { write: 0 })],
  }),
});
