/** Relationships between the tables of two databases, in both directions. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { TestEngine } from "../../support/compiled.ts";
import { createDatabase, query, type TestDatabase } from "../../support/database.ts";
import { type OtherDatabase, otherDatabase } from "../../support/other-database.ts";

const orders = `
  create table orders (
    id int primary key, customer_id bigint, country text, region text, note text, secret text
  );
  insert into orders values
    (1, 9007199254740993, 'de', 'north', 'a', '1'), (2, 2, 'de', 'south', 'b', '2'), (3, null, 'fr', 'north', 'c', 'x'),
    (4, 9007199254740993, null, 'north', 'd', '1'), (5, 77, 'es', 'none', 'e', '2');
  create function shouted(orders) returns text stable language sql as $$ select upper($1.country) $$;
`;

const people = `
  create table customer (id bigint primary key, name text not null, tenant int not null, favourite int);
  insert into customer values (9007199254740993, 'Ada', 1, 2), (2, 'Jo', 2, 1), (3, 'Kim', 1, null);
  create table region (country text, name text, taxes numeric(6, 2), primary key (country, name));
  insert into region values ('de', 'north', 19.00), ('de', 'south', 7.50);
  create table visit (id int primary key, order_id int, at int, customer_id bigint references customer);
  insert into visit select n, n % 2 + 1, n, 2 from generate_series(1, 6) n;
`;

const toSource = (type: string, table: string, mapping: object, source = "people") => ({
  to_source: { relationship_type: type, source, table, field_mapping: mapping },
});

const select = (filter: object, more: object = {}) => ({ columns: "*", filter, ...more });
const tenant = { tenant: { _eq: "X-Engine-Tenant" } };

const savedText = `query Saved($most: Int!) {
  orders(order_by: {id: asc}) { customer { name orders(limit: $most, order_by: {id: desc}) { area { taxes } } } visits { id } }
}`;

const metadata = {
  version: 3,
  query_collections: [{ name: "desk", definition: { queries: [{ name: "saved", query: savedText }] } }],
  sources: [
    {
      name: "default",
      kind: "postgres",
      configuration: { connection_info: { database_url: "postgres://unused" } },
      tables: [
        {
          table: "orders",
          computed_fields: [{ name: "shouted", definition: { function: "shouted" } }],
          remote_relationships: [
            { name: "customer", definition: toSource("object", "customer", { customer_id: "id" }) },
            { name: "area", definition: toSource("object", "region", { country: "country", region: "name" }) },
            { name: "visits", definition: toSource("array", "visit", { id: "order_id" }) },
            { name: "loud", definition: toSource("array", "region", { shouted: "country" }) },
            { name: "leak", definition: toSource("object", "visit", { secret: "id" }) },
          ],
          select_permissions: [
            { role: "clerk", permission: { columns: ["id"], filter: {} } },
            { role: "guest", permission: { columns: ["id"], filter: {} } },
          ],
          insert_permissions: [{ role: "clerk", permission: { columns: ["id", "customer_id"], check: {} } }],
        },
      ],
    },
    {
      name: "people",
      kind: "postgres",
      configuration: { connection_info: { database_url: "postgres://unused" } },
      tables: [
        {
          table: "customer",
          remote_relationships: [
            { name: "orders", definition: toSource("array", "orders", { id: "customer_id" }, "default") },
            { name: "best", definition: toSource("object", "orders", { favourite: "id" }, "default") },
          ],
          select_permissions: [{ role: "clerk", permission: select(tenant) }],
        },
        { table: "region" },
        {
          table: "visit",
          object_relationships: [{ name: "customer", using: { foreign_key_constraint_on: "customer_id" } }],
          select_permissions: [
            { role: "clerk", permission: select({ at: { _gt: 2 } }, { limit: 1, allow_aggregations: true }) },
          ],
        },
      ],
    },
  ],
};

let database: TestDatabase;
let other: OtherDatabase;
let engine: TestEngine;

beforeAll(async () => {
  database = await createDatabase("joined_orders");
  await query(database.url, orders);
  other = await otherDatabase("joined_people", people);
  engine = new TestEngine(database.url, new Map([["people", other]]));
  const { inconsistencies } = await engine.load(metadata);
  expect(inconsistencies).toEqual([]);
});

afterAll(async () => {
  await engine.close();
  await other.close();
  await database.drop();
});

beforeEach(() => {
  other.sent.length = 0;
  engine.sent.length = 0;
});

const ask = (text: string, role = "admin", session: Readonly<Record<string, string>> = {}) =>
  engine.ask(role, text, session);

describe("Rows of another database", () => {
  it("Joined rows are at their selected places, and null if the key is null or unmatched", async () => {
    expect(await ask("{ orders(order_by: {id: asc}) { a: id who: customer { id name } note } }")).toEqual({
      orders: [
        { a: 1, who: { id: 9007199254740992, name: "Ada" }, note: "a" },
        { a: 2, who: { id: 2, name: "Jo" }, note: "b" },
        { a: 3, who: null, note: "c" },
        { a: 4, who: { id: 9007199254740992, name: "Ada" }, note: "d" },
        { a: 5, who: null, note: "e" },
      ],
    });
    expect(other.sent).toHaveLength(1);
    // Each key occurs once, with all digits.
    expect(other.sent[0]?.values).toContain('{"9007199254740993","2","77"}');
  });

  it("Joined rows are found by several keys and keep the digits of numbers", async () => {
    const found = await ask("{ orders(order_by: {id: asc}) { area { taxes } } }");
    expect(found).toEqual({
      orders: [{ area: { taxes: 19 } }, { area: { taxes: 7.5 } }, { area: null }, { area: null }, { area: null }],
    });
  });

  it("Joined rows are found by computed fields", async () => {
    expect(await ask("{ orders(where: {id: {_lte: 2}}) { loud { name } } }")).toEqual({
      orders: [{ loud: [] }, { loud: [] }],
    });
  });

  it("Joined lists take arguments for each row and can be aggregated", async () => {
    const found = await ask(`{ orders(where: {id: {_lte: 3}}, order_by: {id: asc}) {
      last: visits(order_by: {at: desc}, limit: 2, where: {at: {_lt: 6}}) { at customer { name } }
      visits_aggregate(where: {at: {_gt: 1}}) { aggregate { count max { at } } nodes { id } }
    } }`);
    expect(found).toEqual({
      orders: [
        {
          last: [
            { at: 4, customer: { name: "Jo" } },
            { at: 2, customer: { name: "Jo" } },
          ],
          visits_aggregate: { aggregate: { count: 3, max: { at: 6 } }, nodes: [{ id: 2 }, { id: 4 }, { id: 6 }] },
        },
        {
          last: [
            { at: 5, customer: { name: "Jo" } },
            { at: 3, customer: { name: "Jo" } },
          ],
          visits_aggregate: { aggregate: { count: 2, max: { at: 5 } }, nodes: [{ id: 3 }, { id: 5 }] },
        },
        { last: [], visits_aggregate: { aggregate: { count: 0, max: { at: null } }, nodes: [] } },
      ],
    });
    // One statement for the whole level.
    expect(other.sent).toHaveLength(1);
  });

  it("Joins return to the first source level by level with one statement each", async () => {
    const found = await ask(`{ orders(where: {id: {_eq: 1}}) {
      customer { name orders(order_by: {id: asc}) { id customer { best { note customer { name } } } } best { note } }
    } }`);
    expect(found).toEqual({
      orders: [
        {
          customer: {
            name: "Ada",
            orders: [
              { id: 1, customer: { best: { note: "b", customer: { name: "Jo" } } } },
              { id: 4, customer: { best: { note: "b", customer: { name: "Jo" } } } },
            ],
            best: { note: "b" },
          },
        },
      ],
    });
    expect(engine.sent).toHaveLength(3);
    expect(other.sent).toHaveLength(3);
  });

  it("Rows of another database are joined to written rows", async () => {
    const text = `mutation { insert_orders(objects: [{id: 100, customer_id: 2}, {id: 101, customer_id: 3}]) {
      affected_rows returning { id customer { name } }
    } delete_orders(where: {id: {_gte: 100}}) { returning { customer { name } } } }`;
    const written = [{ customer: { name: "Jo" } }, { customer: { name: "Kim" } }];
    expect(await ask(text)).toEqual({
      insert_orders: { affected_rows: 2, returning: written.map((row, i) => ({ id: 100 + i, ...row })) },
      delete_orders: { returning: written },
    });
    const one = "mutation { insert_orders_one(object: {id: 102, customer_id: 2}) { customer { name } } }";
    expect(await ask(one)).toEqual({ insert_orders_one: { customer: { name: "Jo" } } });
    const by = "mutation { delete_orders_by_pk(id: 102) { customer { name orders { id } } } }";
    expect(await ask(by)).toEqual({ delete_orders_by_pk: { customer: { name: "Jo", orders: [{ id: 2 }] } } });
  });

  it("Joined fields depend on the values of variables", async () => {
    const text = "query ($most: Int!, $with: Boolean!) { orders { visits(limit: $most) @include(if: $with) { id } } }";
    const first = await engine.ask("admin", text, {}, { most: 1, with: true });
    expect(first).toMatchObject({ orders: [{ visits: [{ id: 2 }] }, { visits: [{ id: 1 }] }, {}, {}, {}] });
    expect(await engine.ask("admin", text, {}, { most: 0, with: true })).toEqual({
      orders: Array(5).fill({ visits: [] }),
    });
    expect(await engine.ask("admin", text, {}, { most: 0, with: false })).toEqual({ orders: Array(5).fill({}) });
  });
});

describe("Saved operations with joined sources", () => {
  it("A saved operation with joined sources returns the same result from its plan", async () => {
    const variables = { most: 1 };
    const found = await engine.ask("admin", savedText, {}, variables);
    expect(found).toEqual(await engine.ask("admin", `${savedText} `, {}, variables));
    expect(found).toMatchObject({ orders: [{ customer: { name: "Ada", orders: [{ area: null }] } }, {}, {}, {}, {}] });
    // The precompiled plan has the same statements with line breaks.
    const [ahead, unplanned] = [other.sent.slice(0, 2), other.sent.slice(2)].map((sent) =>
      sent.map(({ text }) => text),
    );
    expect(ahead?.some((text) => text.includes("\n  "))).toBe(true);
    expect(unplanned?.some((text) => text.includes("\n  "))).toBe(false);
  });
});

describe("Permissions of joined sources", () => {
  it("A join applies the role's permission on the target", async () => {
    const found = await ask(
      "{ orders(order_by: {id: asc}, limit: 2) { customer { name } visits { id } visits_aggregate { aggregate { count } } } }",
      "clerk",
      { "x-engine-tenant": "1" },
    );
    expect(found).toEqual({
      orders: [
        { customer: { name: "Ada" }, visits: [{ id: 4 }], visits_aggregate: { aggregate: { count: 2 } } },
        { customer: null, visits: [{ id: 3 }], visits_aggregate: { aggregate: { count: 2 } } },
      ],
    });
  });

  it("A relationship to a table without permission is hidden", async () => {
    await expect(ask("{ orders { customer { name } } }", "guest")).rejects.toMatchObject({
      message: "field 'customer' not found in type: 'orders'",
    });
    await expect(ask("{ orders { area { name } } }", "clerk")).rejects.toMatchObject({
      message: "field 'area' not found in type: 'orders'",
    });
  });

  it("A hidden join key stays secret, even in errors", async () => {
    const refused = ask("{ orders { leak { id } } }", "clerk");
    await expect(refused).rejects.toMatchObject({
      code: "data-exception",
      message: "a key of a remote relationship is not a valid value of the column type that it is compared with",
    });
    expect(JSON.stringify(await refused.catch((error: unknown) => error))).not.toContain('"x"');
  });
});

describe("Refused conditions across sources", () => {
  it("Filters and orderings across sources are refused", async () => {
    await expect(ask("{ orders(where: {customer: {name: {_eq: 1}}}) { id } }")).rejects.toMatchObject({
      message: "field 'customer' not found in type: 'orders_bool_exp'",
    });
    await expect(ask("{ orders(order_by: {customer: {name: asc}}) { id } }")).rejects.toMatchObject({
      message: "field 'customer' not found in type: 'orders_order_by'",
    });
  });
});
