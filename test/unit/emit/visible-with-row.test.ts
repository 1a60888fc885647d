import { describe, expect, it } from "vitest";
import { isVisibleWithRow } from "../../../compiler/3-lower/view-inputs.ts";
import type { TableShape } from "../../../compiler/shape/shape.ts";
import { analysisOf, catalogOf, shape, table, tableIn } from "../analyze/sample.ts";

interface World {
  /** Filters of the role `seller`. */
  readonly customer: object;
  readonly order: object;
  readonly kind?: TableShape["kind"];
  /** The relationship from orders to customers in the permission on orders. */
  readonly back?: object;
}

const byKey = { using: { foreign_key_constraint_on: "customer_id" } };
const byRegion = manual("customer", { region: "region" });

function manual(target: string, mapping: object): object {
  return { using: { manual_configuration: { remote_table: target, column_mapping: mapping } } };
}

/** Returns true if `seller` may read all orders of each customer that is visible to this role, joined by id. */
function follows({ customer, order, kind = "table", back = byKey }: World): boolean {
  const select = (filter: object) => [{ role: "seller", permission: { columns: "*", filter } }];
  const orders = { foreign_key_constraint_on: { table: "order", column: "customer_id" } };
  const analysis = analysisOf(
    catalogOf({
      tables: [
        {
          table: "customer",
          array_relationships: [{ name: "orders", using: orders }],
          select_permissions: select(customer),
        },
        {
          table: "order",
          object_relationships: [{ name: "customer", ...back }],
          select_permissions: select(order),
        },
      ],
    }),
    {
      shape: shape([
        table("customer", { columns: { id: "int4!", owner: "text", region: "text" }, primaryKey: ["id"], kind }),
        table("order", {
          columns: { id: "int4!", customer_id: "int4!", owner: "text", region: "text" },
          primaryKey: ["id"],
          foreignKeys: [
            {
              columns: ["customer_id"],
              foreignTable: { schema: "public", name: "customer" },
              foreignColumns: ["id"],
            },
          ],
        }),
      ]),
    },
  );
  const customers = tableIn(analysis, "public.customer");
  const relationship = customers.relationships.get("orders");
  if (!relationship) throw new Error("customers have no orders");
  return isVisibleWithRow(customers, relationship, tableIn(analysis, "public.order"), "seller");
}

const mine = { owner: { _eq: "X-Engine-User" } };
const near = { region: { _eq: "north" } };

describe("Row filters of orders implied by those of customers", () => {
  it.each<[string, World]>([
    ["where the filter is that of the customer", { customer: mine, order: { customer: mine } }],
    ["where it is a part of that", { customer: { _and: [near, mine] }, order: { customer: mine } }],
    [
      "where each part of it is",
      { customer: { ...near, ...mine }, order: { _and: [{ customer: mine }, { customer: near }] } },
    ],
    ["where any customer will do", { customer: mine, order: { customer: {} } }],
    ["of a partitioned table", { customer: mine, order: { customer: mine }, kind: "partitioned_table" }],
  ])("A filter of orders follows from the filter of their customer: %s", (_, world) =>
    expect(follows(world)).toBe(true),
  );
});

describe("Row filters of orders not implied by those of customers", () => {
  it.each<[string, World]>([
    ["where all orders are visible anyway", { customer: mine, order: {} }],
    ["where the filter asks for more of the customer", { customer: mine, order: { customer: { ...mine, ...near } } }],
    ["where it asks for more of the order", { customer: mine, order: { customer: mine, ...near } }],
    ["where it is about the order itself", { customer: mine, order: mine }],
    ["where the customer need not meet it", { customer: { _or: [near, mine] }, order: { customer: mine } }],
    ["where it asks for the contrary", { customer: mine, order: { _not: { customer: mine } } }],
    ["where it asks for something else, too", { customer: mine, order: { _or: [near, { customer: mine }] } }],
    ["where it leads to another customer", { customer: mine, order: { customer: mine }, back: byRegion }],
    ["of a view, which may have other rows each time", { customer: mine, order: { customer: mine }, kind: "view" }],
    [
      "where a comparison is with the row that the permission is about",
      { customer: { owner: { _ceq: ["$", "region"] } }, order: { customer: { owner: { _ceq: ["$", "region"] } } } },
    ],
  ])("A filter of orders does not follow from the filter of their customer: %s", (_, world) =>
    expect(follows(world)).toBe(false),
  );
});
