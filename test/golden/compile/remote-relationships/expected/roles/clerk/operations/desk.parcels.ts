// Generated: change the metadata, not this file.
// From   query parcels of collection desk: role clerk
// Slice  sha256:95ba2f3b

import {
  callOf,
  columnOf,
  hiddenKey,
  joinPlace,
  joinStep,
  keyAt,
  keysByType,
  keysFor,
  keysOf,
  listOfKeys,
  listWith,
  objectWith,
  postgres,
  queryPlan,
  relationshipOf,
  remotePlace,
  remoteSessionVariable,
  remoteStep,
  remoteVariable,
  savedPlans,
  selected,
  selectedOn,
  statement,
} from "engine/support";
import { remote as post } from "../remotes/post.js";
import { orders } from "../shop/public.orders.js";

/**
 * Plans of query parcels of collection desk for role clerk.
 * The variables select one of them.
 */
export const plans = savedPlans({
  optional: ["first"],
  plans: [
    {
      when: [{ first: "given" }, { first: "absent" }, { first: "null" }],
      plan: queryPlan({
        statements: [
          statement(
            "shop",
            `select (
  select coalesce(json_agg(r.*), '[]')
  from (select t1."id" as "package", t1."id" as "bundle" from "public"."orders" t1) r
)::text`,
            [],
          ),
        ],
        parts: [
          columnOf("orders", { statement: 0, column: 0 }, {
            package: keysFor({ step: 0, place: 0 }),
            bundle: keysFor({ step: 0, place: 1 }),
          }),
        ],
        joins: [
          remoteStep([
            remotePlace(
              relationshipOf(orders, "parcel"),
              "$.selectionSet.orders.selectionSet.parcel",
              {
                call: [
                  callOf("parcel", {
                    id: keyAt(0),
                    with: objectWith({ tags: listWith(keyAt(0)), note: "\"a \\\"note\\\"\"" }),
                  }),
                ],
                type: "Parcel",
                selection: [
                  "__typename",
                  selected("id", { as: "key" }),
                  selected("weight", { args: { unit: "GRAM" } }),
                  selected("stops", {
                    args: { first: "$first", zone: "$session_x_engine_zone_String" },
                    lists: 1,
                    selection: [selectedOn(null, ["town"])],
                  }),
                  selected("__typename", { as: "order" }),
                  selected("id", { as: "_join_Parcel_id" }),
                ],
                variables: [
                  remoteVariable(
                    post,
                    "first",
                    "Int",
                    "$.selectionSet.orders.selectionSet.parcel.selectionSet.stops.args.first",
                    { defaultValue: "2" },
                  ),
                  remoteSessionVariable("session_x_engine_zone_String", "x-engine-zone", "String"),
                ],
                joins: {
                  _join_Parcel_id: hiddenKey,
                  order: keysByType({ Parcel: keysFor({ step: 1, place: 0 }, "_join_Parcel_id") }),
                },
              },
            ),
            remotePlace(
              relationshipOf(orders, "bundle"),
              "$.selectionSet.orders.selectionSet.bundle",
              {
                call: [callOf("parcels", { ids: listOfKeys(keyAt(0)) })],
                type: "Parcel",
                selection: [
                  selected("id", { as: "_join_1" }),
                  selected("weight", { args: { unit: "GRAM" } }),
                ],
                members: ["_join_1"],
              },
            ),
          ]),
          joinStep(
            "shop",
            `select '0' as p, string_agg(t4.i || E'\\x1f' || coalesce(t4.v::text, 'null'), E'\\x1e') as v
from (
  select
    t2.i as i,
    case when t3."id" is not null then json_build_object('id', t3."id", 'parcel', t3."id") end as v
  from (
    select t1.i as i, t1.k1::int4 as k1
    from (select *, (n - 1)::int4 as i from unnest($1::text[]) with ordinality as l(k1, n)) t1
  ) t2
  left join "public"."orders" t3 on t3."id" = t2.k1
) t4`,
            [keysOf(postgres, { place: 0, column: 0 })],
            [
              joinPlace(
                { keys: 1, path: "$.selectionSet.orders.selectionSet.parcel.selectionSet.order" },
                { parcel: keysFor({ step: 2, place: 0 }) },
              ),
            ],
          ),
          remoteStep([
            remotePlace(
              relationshipOf(orders, "parcel"),
              "$.selectionSet.orders.selectionSet.parcel.selectionSet.order.selectionSet.parcel",
              {
                call: [
                  callOf("parcel", {
                    id: keyAt(0),
                    with: objectWith({ tags: listWith(keyAt(0)), note: "\"a \\\"note\\\"\"" }),
                  }),
                ],
                type: "Parcel",
                selection: [selected("weight", { args: { unit: "GRAM" } })],
              },
            ),
          ]),
        ],
      }),
    },
  ],
});
