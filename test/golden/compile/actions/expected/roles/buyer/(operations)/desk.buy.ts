// Generated: change the metadata, not this file.
// From   query buy of collection desk: role buyer
// Slice  sha256:e838070c

import {
  actionOf,
  actionRequest,
  alwaysAnswered,
  answerWith,
  answered,
  answeredObjects,
  columnValues,
  mutationPlan,
  pg,
  postgres,
  readBeside,
  readForObjects,
  rowPosition,
  savedPlans,
  sessionValue,
} from "engine/support";
import { action as place_order } from "../../../actions/place_order.js";

/** Objects that a handler answers. */
const answeredRows = answeredObjects(0, "$.selectionSet.place_order.selectionSet.parts");

/** Objects that a handler answers. */
const answeredRows_2 = answeredObjects(1, "$.selectionSet.place_order");

/** The plan for: note given; note absent; note null. */
const note_given = mutationPlan({
  writes: [],
  actions: [
    actionRequest(place_order, "$.selectionSet.place_order", {
      args: { items: "$items", note: "{by: $note}" },
      defaults: { note: "\"none\"" },
      answer: answerWith(
        [
          "id",
          answered("price", { as: "cost" }),
          answered("to", { object: answerWith([alwaysAnswered("__typename", "Address"), "city"]) }),
          readBeside("person"),
          answered("parts", { object: answerWith(["id", readBeside("friends")], 0) }),
        ],
        1,
      ),
      reads: [
        readForObjects(
          "default",
          `select
  (
    select coalesce(
      json_agg(
        json_build_object(
          'friends', (
            select coalesce(json_agg(r.*), '[]')
            from (
              select t3."name" as "name"
              from "public"."person" t3
              where (t3."friend" = t2."buyer") and (t3."id" = $1::int4)
            ) r
          )
        )
        order by t2.i
      ),
      '[]'
    )
    from (
      select t1.i::int4 as i, t1.k1::int4 as "buyer", t1.k2::varchar as "buyer 2"
      from unnest($2::text[], $3::text[], $3::text[]) as t1(i, k1, k2)
    ) t2
  )::text,
  (
    select coalesce(
      json_agg(
        json_build_object(
          'person', (
            select json_build_object('name', t6."name")
            from "public"."person" t6
            where (t6."id" = t5."buyer") and (t6."id" = $1::int4)
            limit 1
          )
        )
        order by t5.i
      ),
      '[]'
    )
    from (
      select t4.i::int4 as i, t4.k1::int4 as "buyer", t4.k2::varchar as "buyer 2"
      from unnest($4::text[], $5::text[], $5::text[]) as t4(i, k1, k2)
    ) t5
  )::text`,
          [
            sessionValue("x-engine-user-id"),
            columnValues(postgres, answeredRows, "(position)", rowPosition),
            columnValues(postgres, answeredRows, "buyer", pg("int4")),
            columnValues(postgres, answeredRows_2, "(position)", rowPosition),
            columnValues(postgres, answeredRows_2, "buyer", pg("int4")),
          ],
          [0, 1],
        ),
      ],
    }),
  ],
  parts: [actionOf("place_order", 0)],
});

/**
 * What role buyer runs for query buy of collection desk.
 * Which of the plans it is depends on the variables.
 */
export const plans = savedPlans({
  optional: ["note"],
  conditions: [],
  plans: { "note given": note_given, "note absent": note_given, "note null": note_given },
});
