// Generated: change the metadata, not this file.
// From   query fatten of collection app: role admin
// Slice  sha256:2d172107

import {
  constantValue,
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

/** Plans of query fatten of collection app for role admin. */
export const plans = savedPlans({
  always: mutationPlan({
    writes: [
      write(
        "default",
        [
          writeStep(
            `update "public"."book" as t1
set "weight" = t1."weight" + $1::float4
where ((select set_config('engine.user', $2, true)) is not null) and (t1."id" = $3::int8)
returning json_build_object('id', t1."id")::text`,
            [
              value(
                constantValue(1),
                notNull(pg("float4")),
                "$.selectionSet.update_book_by_pk.args._inc.weight",
              ),
              wholeSessionValue,
              value(
                fromVariable("id"),
                pg("int8"),
                "$.selectionSet.update_book_by_pk.args.pk_columns.id",
              ),
            ],
            "$",
            { setsUser: true },
          ),
        ],
        [{ step: 0, column: 0 }],
      ),
    ],
    parts: [writeOf("update_book_by_pk", { write: 0 })],
  }),
});
