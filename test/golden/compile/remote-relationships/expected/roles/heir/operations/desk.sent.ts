// Generated: change the metadata, not this file.
// From   query sent of collection desk: role heir
// Slice  sha256:eb6e465b

import {
  callOf,
  hiddenKey,
  joinPlace,
  joinStep,
  keyAt,
  keysByType,
  keysFor,
  keysOf,
  postgres,
  queryPlan,
  relationshipOfType,
  remoteOf,
  remotePlace,
  remoteRequest,
  remoteStep,
  remoteVariable,
  rootSelection,
  savedPlans,
  selected,
} from "engine/support";
import { remote as post } from "../remotes/post.js";

/**
 * Plans of query sent of collection desk for role heir.
 * The variables select one of them.
 */
export const plans = savedPlans({
  optional: ["with"],
  plans: [
    {
      when: [{ with: "given" }, { with: "absent" }, { with: "null" }],
      plan: queryPlan({
        statements: [],
        remotes: [
          remoteRequest(post, {
            operation: "query",
            name: "Sent",
            fields: [
              rootSelection(
                selected("parcel", {
                  args: { id: "$id", with: "$with" },
                  selection: [
                    selected("weight", { args: { unit: "GRAM" } }),
                    selected("__typename", { as: "order" }),
                    selected("id", { as: "_join_Parcel_id" }),
                    selected("__typename", { as: "returned" }),
                    selected("id", { as: "_join_Parcel_id" }),
                  ],
                }),
              ),
            ],
            variables: [
              remoteVariable(post, "id", "ID!", "$.selectionSet.parcel.args.id"),
              remoteVariable(post, "with", "With", "$.selectionSet.parcel.args.with"),
            ],
          }),
        ],
        parts: [
          remoteOf("parcel", { request: 0 }, {
            _join_Parcel_id: hiddenKey,
            order: keysByType({ Parcel: keysFor({ step: 0, place: 0 }, "_join_Parcel_id") }),
            returned: keysByType({ Parcel: keysFor({ step: 1, place: 0 }, "_join_Parcel_id") }),
          }),
        ],
        joins: [
          joinStep(
            "shop",
            `select '0' as p, string_agg(t4.i || E'\\x1f' || coalesce(t4.v::text, 'null'), E'\\x1e') as v
from (
  select t2.i as i, case when t3."id" is not null then json_build_object('id', t3."id") end as v
  from (
    select t1.i as i, t1.k1::int4 as k1
    from (select *, (n - 1)::int4 as i from unnest($1::text[]) with ordinality as l(k1, n)) t1
  ) t2
  left join "public"."orders" t3 on t3."id" = t2.k1
) t4`,
            [keysOf(postgres, { place: 0, column: 0 })],
            [joinPlace({ keys: 1, path: "$.selectionSet.parcel.selectionSet.order" })],
          ),
          remoteStep([
            remotePlace(
              relationshipOfType(post, "Parcel", "returned"),
              "$.selectionSet.parcel.selectionSet.returned",
              { call: [callOf("parcel", { id: keyAt(0) })], type: "Parcel", selection: ["id"] },
            ),
          ]),
        ],
      }),
    },
  ],
});
