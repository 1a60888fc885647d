// Generated: change the metadata, not this file.
// From   query buy of collection desk: role admin
// Slice  sha256:bdc5f325

import {
  actionOf,
  actionRequest,
  columnValues,
  constantMember,
  handlerObjects,
  mutationPlan,
  outputMember,
  outputObject,
  outputRead,
  pg,
  postgres,
  readMember,
  rowPosition,
  savedPlans,
} from "engine/support";
import { action as place_order } from "../../../actions/place_order.js";

/** Objects in the handler's response. */
const handlerRows = handlerObjects({
  place: 0,
  path: "$.selectionSet.place_order.selectionSet.parts",
});

/** Objects in the handler's response. */
const handlerRows_2 = handlerObjects({ place: 1, path: "$.selectionSet.place_order" });

/**
 * Plans of query buy of collection desk for role admin.
 * The variables select one of them.
 */
export const plans = savedPlans({
  optional: ["note"],
  plans: [
    {
      when: [{ note: "given" }, { note: "absent" }, { note: "null" }],
      plan: mutationPlan({
        writes: [],
        actions: [
          actionRequest(place_order, "$.selectionSet.place_order", {
            args: { items: "$items", note: "{by: $note}" },
            defaults: { note: "\"none\"" },
            output: outputObject(
              [
                "id",
                outputMember("price", { as: "cost" }),
                outputMember("to", {
                  object: outputObject([constantMember("__typename", "Address"), "city"]),
                }),
                readMember("person"),
                outputMember("parts", {
                  object: outputObject(["id", readMember("friends")], { place: 0 }),
                }),
              ],
              { place: 1 },
            ),
            reads: [
              outputRead(
                "default",
                `select
  (
    select coalesce(
      json_agg(
        json_build_object(
          'friends', (
            select coalesce(json_agg(r.*), '[]')
            from (
              select t3."name" as "name" from "public"."person" t3 where t3."friend" = t2."buyer"
            ) r
          )
        )
        order by t2.i
      ),
      '[]'
    )
    from (
      select t1.i::int4 as i, t1.k1::int4 as "buyer", t1.k2::varchar as "buyer 2"
      from unnest($1::text[], $2::text[], $2::text[]) as t1(i, k1, k2)
    ) t2
  )::text,
  (
    select coalesce(
      json_agg(
        json_build_object(
          'person', (
            select json_build_object('name', t6."name")
            from "public"."person" t6
            where t6."id" = t5."buyer"
            limit 1
          )
        )
        order by t5.i
      ),
      '[]'
    )
    from (
      select t4.i::int4 as i, t4.k1::int4 as "buyer", t4.k2::varchar as "buyer 2"
      from unnest($3::text[], $4::text[], $4::text[]) as t4(i, k1, k2)
    ) t5
  )::text`,
                [
                  columnValues(postgres, handlerRows, "(position)", rowPosition),
                  columnValues(postgres, handlerRows, "buyer", pg("int4")),
                  columnValues(postgres, handlerRows_2, "(position)", rowPosition),
                  columnValues(postgres, handlerRows_2, "buyer", pg("int4")),
                ],
                { places: [0, 1] },
              ),
            ],
          }),
        ],
        parts: [actionOf("place_order", { action: 0 })],
      }),
    },
  ],
});
