// Generated: change the metadata, not this file.
// From   query renew of collection desk: role member
// Slice  sha256:943d1a5d

import {
  fromVariable,
  mutationPlan,
  notNull,
  pg,
  savedPlans,
  sessionValue,
  value,
  wholeSessionValue,
  write,
  writeOf,
  writeStep,
} from "engine/support";

/** Plans of query renew of collection desk for role member. */
export const plans = savedPlans({
  always: mutationPlan({
    writes: [
      write(
        "default",
        [
          writeStep(
            `update "public"."loan" as t1
set "due_on" = $1::date
where ((select set_config('engine.user', $2, true)) is not null)
  and (
    (t1."member_id" = $3::uuid and t1."returned_on" is null and t1."renewals" < '2'::int2)
      and (t1."id" = $4::int8)
  )
returning json_build_object('id', t1."id", 'due_on', t1."due_on")::text`,
            [
              value(
                fromVariable("until"),
                notNull(pg("date")),
                "$.selectionSet.update_loan_by_pk.args._set.due_on",
              ),
              wholeSessionValue,
              sessionValue("x-engine-user-id"),
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
