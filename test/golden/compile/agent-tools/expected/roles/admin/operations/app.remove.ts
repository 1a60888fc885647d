// Generated: change the metadata, not this file.
// From   query remove of collection app: role admin
// Slice  sha256:1d608542

import {
  fromVariable,
  mutationPlan,
  pg,
  savedPlans,
  value,
  wholeSessionValue,
  write,
  writeOf,
  writeStep,
} from "engine/support";

/** Plans of query remove of collection app for role admin. */
export const plans = savedPlans({
  always: mutationPlan({
    writes: [
      write(
        "default",
        [
          writeStep(
            `delete
from "public"."book" as t1
where ((select set_config('engine.user', $1, true)) is not null) and (t1."id" = $2::int8)
returning json_build_object('id', t1."id")::text`,
            [
              wholeSessionValue,
              value(fromVariable("id"), pg("int8"), "$.selectionSet.delete_book_by_pk.args.id"),
            ],
            "$",
            { setsUser: true },
          ),
        ],
        [{ step: 0, column: 0 }],
      ),
    ],
    parts: [writeOf("delete_book_by_pk", { write: 0 })],
  }),
});
