/** Groups reveal no more than the role may read: rows, columns, cells, related rows, row limits. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EngineError } from "../../../runtime/values/errors.ts";
import { TestEngine } from "../../support/compiled.ts";
import { createDatabase, query as runSql, type TestDatabase } from "../../support/database.ts";

let database: TestDatabase;
let engine: TestEngine;

const mine = { owner: { _eq: "X-Engine-User-Id" } };
const visibleBosses = { id: { _lt: 2 } };

const tables = [
  {
    table: "boss",
    array_relationships: [
      { name: "items", using: { foreign_key_constraint_on: { table: "item", column: "boss_id" } } },
      { name: "secrets", using: { foreign_key_constraint_on: { table: "secret", column: "boss_id" } } },
    ],
    select_permissions: [
      { role: "clerk", permission: { columns: ["id", "name"], filter: visibleBosses } },
      { role: "plain", permission: { columns: ["id", "name"], filter: {} } },
    ],
  },
  {
    table: "item",
    object_relationships: [
      { name: "boss", using: { foreign_key_constraint_on: "boss_id" } },
      { name: "secret", using: { foreign_key_constraint_on: "secret_id" } },
    ],
    select_permissions: [
      {
        role: "clerk",
        permission: { columns: ["id", "kind", "owner"], filter: mine, limit: 1, allow_aggregations: true },
      },
      { role: "plain", permission: { columns: ["id", "kind"], filter: {} } },
      {
        role: "pricing",
        permission: { columns: ["id", "price"], filter: { kind: { _eq: "a" } }, allow_aggregations: true },
      },
    ],
  },
  { table: "secret" },
];

beforeAll(async () => {
  database = await createDatabase("group_attacks");
  engine = new TestEngine(database.url);
  await runSql(
    database.url,
    `create table boss (id int primary key, name text not null, salary int not null);
     create table secret (id int primary key, boss_id int references boss, word text not null);
     create table item (id int primary key, boss_id int references boss, secret_id int references secret,
       owner text not null, kind text not null, price int not null);
     insert into boss values (1, 'Visible', 10), (2, 'Hidden', 20);
     insert into secret values (1, 1, 'word');
     insert into item values (1, 1, 1, 'ann', 'a', 5), (2, 2, 1, 'ann', 'a', 7), (3, 2, 1, 'ann', 'b', 9),
       (4, 1, null, 'ben', 'c', 11)`,
  );
  const inherited_roles = [{ role_name: "both", role_set: ["clerk", "pricing"] }];
  const { inconsistencies } = await engine.track(tables, { inherited_roles });
  expect(inconsistencies).toEqual([]);
}, 60_000);

afterAll(async () => {
  await engine?.close();
  await database?.drop();
});

const session = { "x-engine-user-id": "ann" };

async function ask(role: string, text: string): Promise<unknown> {
  try {
    return await engine.ask(role, text, session, {});
  } catch (error) {
    if (error instanceof EngineError) return error.message;
    throw error;
  }
}

describe("Attacks on groups", () => {
  it("Groups contain only permitted rows, and `nodes` of each group has the limit of the permission", async () => {
    const text = "{ item_group(by: { column: kind }) { key { kind } aggregate { count } nodes(limit: 5) { id } } }";
    expect(await ask("clerk", text)).toEqual({
      item_group: [
        { key: { kind: "a" }, aggregate: { count: 2 }, nodes: [{ id: 1 }] },
        { key: { kind: "b" }, aggregate: { count: 1 }, nodes: [{ id: 3 }] },
      ],
    });
  });

  it("Keys of related rows that the role may not read are null", async () => {
    const text =
      "{ item_group(by: { related: { boss: { column: name } } }) { key { boss { name } } aggregate { count } } }";
    expect(await ask("clerk", text)).toEqual({
      item_group: [
        { key: { boss: { name: "Visible" } }, aggregate: { count: 1 } },
        { key: { boss: { name: null } }, aggregate: { count: 2 } },
      ],
    });
  });

  it("A hidden cell forms no group of its own value, in keys, conditions, order and aggregates", async () => {
    const text = `{ item_group(by: { column: price }, order_by: { aggregate: { max: { price: desc_nulls_last } } },
      having: { sum: { price: { _gt: 0 } } }) { key { price } aggregate { count sum { price } } } }`;
    // Ann's item 3 is visible to the clerk without its price, and others only with a price.
    expect(await ask("both", text)).toEqual({
      item_group: [
        { key: { price: 7 }, aggregate: { count: 1, sum: { price: 7 } } },
        { key: { price: 5 }, aggregate: { count: 1, sum: { price: 5 } } },
      ],
    });
    expect(await ask("both", "{ item_group(by: { column: price }) { key { price } aggregate { count } } }")).toEqual({
      item_group: [
        { key: { price: 5 }, aggregate: { count: 1 } },
        { key: { price: 7 }, aggregate: { count: 1 } },
        { key: { price: null }, aggregate: { count: 1 } },
      ],
    });
  });

  it.each([
    ["plain", "{ item_group(by: { column: kind }) { key { kind } } }", "field 'item_group' not found"],
    ["plain", "{ boss { items_group(by: { column: kind }) { key { kind } } } }", "field 'items_group' not found"],
    ["clerk", "{ boss_group(by: { column: name }) { key { name } } }", "field 'boss_group' not found"],
    ["clerk", "{ boss { secrets_group(by: { column: word }) { key { word } } } }", "field 'secrets_group' not found"],
    ["clerk", "{ item_group(by: { column: price }) { key { id } } }", "but found 'price'"],
    ["clerk", "{ item_group(by: { column: kind }) { key { price } } }", "field 'price' not found"],
    [
      "clerk",
      "{ item_group(by: { related: { secret: { column: word } } }) { key { id } } }",
      "field 'secret' not found",
    ],
    ["clerk", "{ item_group(by: { related: { boss: { column: salary } } }) { key { id } } }", "but found 'salary'"],
    [
      "clerk",
      "{ item_group(by: { column: id }, having: { max: { price: { _gt: 1 } } }) { key { id } } }",
      "'price' not found",
    ],
    [
      "clerk",
      "{ item_group(by: { column: id }, having: { count: { arguments: price, predicate: { _gt: 1 } } }) { key { id } } }",
      "but found 'price'",
    ],
    [
      "clerk",
      "{ item_group(by: { column: id }, having: { count: { filter: { secret: {} }, predicate: { _gt: 1 } } }) { key { id } } }",
      "field 'secret' not found",
    ],
    [
      "clerk",
      "{ item_group(by: { column: id }) { aggregate { percentile_cont(column: price, fraction: 1) } } }",
      "but found 'price'",
    ],
    [
      "clerk",
      '{ item_group(by: { column: id }) { aggregate { string_agg(column: kind, separator: "", order_by: { price: asc }) } } }',
      "field 'price' not found",
    ],
    [
      "pricing",
      '{ item_aggregate { aggregate { string_agg(column: kind, separator: "") } } }',
      "field 'string_agg' not found",
    ],
    [
      "clerk",
      "{ item_group(by: { column: id }) { aggregate(filter: { price: { _gt: 1 } }) { count } } }",
      "field 'price' not found",
    ],
    [
      "clerk",
      "{ item_group(by: { column: id }) { aggregate(filter: { secret: { word: { _eq: 1 } } }) { count } } }",
      "field 'secret' not found",
    ],
    [
      "clerk",
      "{ item_group(by: { column: id }, order_by: { key: { price: asc } }) { key { id } } }",
      "'price' not found",
    ],
    [
      "clerk",
      "{ item_group(by: { column: id }, order_by: { aggregate: { max: { price: asc } } }) { key { id } } }",
      "'price' not found",
    ],
    [
      "clerk",
      "{ item_group(by: { column: id }, having: { percentile_cont: { column: price, fraction: 1, predicate: { _gt: 1 } } }) { key { id } } }",
      "but found 'price'",
    ],
    [
      "clerk",
      '{ item_group(by: { column: id }, having: { string_agg: { column: kind, separator: "", order_by: { price: asc }, predicate: { _eq: "a" } } }) { key { id } } }',
      "field 'price' not found",
    ],
    [
      "clerk",
      '{ item_group(by: { column: id }, having: { string_agg: { column: kind, separator: "", filter: { secret: {} }, predicate: { _eq: "a" } } }) { key { id } } }',
      "field 'secret' not found",
    ],
    [
      "clerk",
      "{ item_group(by: { column: id }, having: { var_pop: { price: { _gt: 1 } } }) { key { id } } }",
      "'price' not found",
    ],
    [
      "clerk",
      "{ item_group(by: { column: id }, order_by: { aggregate: { percentile_cont: { column: price, fraction: 1, order: asc } } }) { key { id } } }",
      "but found 'price'",
    ],
    [
      "clerk",
      "{ item_group(by: { column: id }, order_by: { aggregate: { count_of: { columns: price, order: asc } } }) { key { id } } }",
      "but found 'price'",
    ],
    [
      "clerk",
      "{ item_group(by: { column: id }, order_by: { aggregate: { count_of: { filter: { price: { _gt: 1 } }, order: asc } } }) { key { id } } }",
      "field 'price' not found",
    ],
  ])("Role %s cannot send %s", async (role, text, message) => {
    expect(await ask(role, text)).toContain(message);
  });

  it("The filter of an aggregate compares neither hidden cells nor related rows that the role may not read", async () => {
    const filtered = (filter: string) =>
      `{ item_group(by: { column: kind }, where: { kind: { _eq: "b" } }) { aggregate(filter: ${filter}) { count } } }`;
    // Item 3 is visible to Ann without its price, and its boss is hidden.
    expect(await ask("both", filtered("{ price: { _eq: 9 } }"))).toEqual({ item_group: [{ aggregate: { count: 0 } }] });
    expect(await ask("both", filtered("{ boss: {} }"))).toEqual({ item_group: [{ aggregate: { count: 0 } }] });
    expect(await ask("both", filtered("{}"))).toEqual({ item_group: [{ aggregate: { count: 1 } }] });
  });

  it("Joined texts and percentiles contain neither hidden cells nor hidden rows, and order_by does not sort by them", async () => {
    const text = `{ item_aggregate { aggregate {
      kinds: string_agg(column: kind, separator: ",", order_by: [{ price: desc_nulls_last }])
      owners: string_agg(column: owner, separator: ",", order_by: { id: asc })
      highest: percentile_cont(column: price, fraction: 1)
    } } }`;
    // Ben's item 4 is hidden. Item 3 is visible without its price, 9, which would be the highest.
    expect(await ask("both", text)).toEqual({
      item_aggregate: { aggregate: { kinds: "a,a,b", owners: "ann,ann,ann", highest: 7 } },
    });
  });

  it.each([
    ["Item 3 has no price", "having: { percentile_cont: { column: price, fraction: 1, predicate: { _gt: 7 } } }", []],
    [
      "Item 3 has no price",
      "having: { percentile_cont: { column: price, fraction: 1, predicate: { _gte: 7 } } }",
      ["a"],
    ],
    [
      "Ben's item 4 is hidden",
      'having: { string_agg: { column: owner, separator: ",", predicate: { _like: "%ben%" } } }',
      [],
    ],
    [
      "Item 3 has no price",
      "order_by: { aggregate: { percentile_cont: { column: price, fraction: 1, order: desc_nulls_last } } }",
      ["a", "b"],
    ],
    [
      "Item 3 has no price",
      "order_by: { aggregate: { count_of: { filter: { price: { _gt: 7 } }, order: desc } } }",
      ["a", "b"],
    ],
  ])("Conditions on groups and their order do not depend on hidden cells and rows: %s, %s", async (_, args, kinds) => {
    const found = await ask("both", `{ item_group(by: { column: kind }, ${args}) { key { kind } } }`);
    expect(found).toEqual({ item_group: kinds.map((kind) => ({ key: { kind } })) });
  });

  it("Separators and fractions never become SQL text", async () => {
    const before = engine.sent.length;
    const text = `{ item_aggregate(where: { id: { _lt: 3 } }) { aggregate {
      string_agg(column: kind, separator: "'; drop table item; --", order_by: { id: asc }) percentile_cont(column: price, fraction: 25e-2) } } }`;
    expect(await ask("admin", text)).toEqual({
      item_aggregate: { aggregate: { string_agg: "a'; drop table item; --a", percentile_cont: 5.5 } },
    });
    for (const sent of engine.sent.slice(before)) expect(sent.text).not.toMatch(/drop|25e/);
  });

  it("Paths, time zones and widths never become SQL text", async () => {
    const before = engine.sent.length;
    await ask("admin", `{ item_group(by: { column: price, width: 1e1 }) { key { _bucket(column: price) } } }`);
    for (const { text } of engine.sent.slice(before)) expect(text).not.toContain("1e1");
    expect(
      await ask("admin", `{ item_group(by: { column: price, width: "1) or (1" }) { key { _bucket(column: price) } } }`),
    ).toContain("expected");
  });
});
