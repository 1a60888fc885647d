// Generated: change the metadata, not this file.
// From   query noted of collection desk: role heir
// Slice  sha256:3f630f12

import {
  callOf,
  columnOf,
  givenInPart,
  keyAt,
  keysFor,
  listWith,
  objectWith,
  queryPlan,
  relationshipOf,
  remotePlace,
  remoteStep,
  savedPlans,
  statement,
} from "engine/support";
import { orders } from "../shop/public.orders.js";

/** The plan for: with given; with absent; with null. */
const with_given = queryPlan({
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
  parts: [columnOf("orders", 0, 0, { labelled: keysFor(0, 0) })],
  joins: [
    remoteStep([
      remotePlace(
        relationshipOf(orders, "labelled"),
        "$.selectionSet.orders.selectionSet.labelled",
        {
          call: [
            callOf("parcel", {
              with: givenInPart(
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
});

/**
 * What role heir runs for query noted of collection desk.
 * Which of the plans it is depends on the variables.
 */
export const plans = savedPlans({
  optional: ["with"],
  conditions: [],
  plans: { "with given": with_given, "with absent": with_given, "with null": with_given },
});
