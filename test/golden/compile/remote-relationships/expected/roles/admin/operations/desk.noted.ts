// Generated: change the metadata, not this file.
// From   query noted of collection desk: role admin
// Slice  sha256:f62df30c

import {
  callOf,
  columnOf,
  keyAt,
  keysFor,
  listWith,
  mergedInput,
  objectWith,
  queryPlan,
  relationshipOf,
  remotePlace,
  remoteStep,
  savedPlans,
  statement,
} from "engine/support";
import { orders } from "../shop/public.orders.js";

/**
 * Plans of query noted of collection desk for role admin.
 * The variables select one of them.
 */
export const plans = savedPlans({
  optional: ["with"],
  plans: [
    {
      when: [{ with: "given" }, { with: "absent" }, { with: "null" }],
      plan: queryPlan({
        statements: [
          statement(
            "shop",
            `select (
  select coalesce(json_agg(r.*), '[]')
  from (select t1."id" as "labelled" from "public"."orders" t1) r
)::text`,
            [],
          ),
        ],
        parts: [
          columnOf("orders", { statement: 0, column: 0 }, {
            labelled: keysFor({ step: 0, place: 0 }),
          }),
        ],
        joins: [
          remoteStep([
            remotePlace(
              relationshipOf(orders, "labelled"),
              "$.selectionSet.orders.selectionSet.labelled",
              {
                call: [
                  callOf("parcel", {
                    with: mergedInput(
                      relationshipOf(orders, "labelled"),
                      "with",
                      ["with"],
                      "With_remote_rel_orderslabelled",
                      "$.selectionSet.orders.selectionSet.labelled.args.with",
                      objectWith({ note: "\"none\"", tags: listWith(keyAt(0)) }),
                    ),
                    id: keyAt(0),
                  }),
                ],
                type: "Parcel",
                selection: ["id"],
              },
            ),
          ]),
        ],
      }),
    },
  ],
});
