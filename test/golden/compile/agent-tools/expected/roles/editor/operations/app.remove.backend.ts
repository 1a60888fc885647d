// Generated: change the metadata, not this file.
// From   query remove of collection app: role editor, from a backend
// Slice  sha256:ac26594d

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

/** Plans of query remove of collection app for role editor, from a backend. */
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
