// Generated: change the metadata, not this file.
// From   query put of collection app: role editor, from a backend
// Slice  sha256:6f955186

import {
  columnValues,
  fromVariable,
  mutationPlan,
  notNull,
  pg,
  postgres,
  rows,
  savedPlans,
  wholeSessionValue,
  write,
  writeOf,
  writeStep,
} from "engine/support";

/** Rows that the operation writes. */
const rowsToWrite = rows({
  members: [["title", fromVariable("title")]],
  path: "$.selectionSet.insert_book_one.args.object",
  literal: false,
});

/** Plans of query put of collection app for role editor, from a backend. */
export const plans = savedPlans({
  always: mutationPlan({
    writes: [
      write(
        "default",
        [
          writeStep(
            `insert into "public"."book" as t1 ("title")
select r.c1::text
from unnest($1::text[]) as r(c1)
where (select set_config('engine.user', $2, true)) is not null
on conflict on constraint "book_title_key" do update
set "title" = excluded."title"
returning json_build_object('id', t1."id")::text`,
            [columnValues(postgres, rowsToWrite, "title", notNull(pg("text"))), wholeSessionValue],
            "$.selectionSet.insert_book_one.args.object",
            { setsUser: true },
          ),
        ],
        [{ step: 0, column: 0 }],
      ),
    ],
    parts: [writeOf("insert_book_one", { write: 0 })],
  }),
});
