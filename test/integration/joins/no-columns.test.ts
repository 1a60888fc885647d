/** Relationships without column pairs: each row is related to all rows of the other table. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestEngine } from "../../support/compiled.ts";
import { createDatabase, query, type TestDatabase } from "../../support/database.ts";
import { type OtherDatabase, otherDatabase } from "../../support/other-database.ts";

const near = (name: string) => ({
  name,
  using: { manual_configuration: { remote_table: "near", column_mapping: {} } },
});
const far = (name: string, relationship_type: string) => ({
  name,
  definition: { to_source: { source: "other", table: "far", relationship_type, field_mapping: {} } },
});
const configuration = { connection_info: { database_url: "postgres://unused" } };
const metadata = {
  version: 3,
  sources: [
    {
      ...{ name: "default", kind: "postgres", configuration },
      tables: [
        {
          table: "item",
          array_relationships: [near("near")],
          object_relationships: [near("first_near")],
          remote_relationships: [far("far", "array"), far("first_far", "object")],
          select_permissions: [
            { role: "clerk", permission: { columns: ["id"], filter: { near: { id: { _eq: "X-Engine-Near" } } } } },
          ],
        },
        { table: "near" },
      ],
    },
    { ...{ name: "other", kind: "postgres", configuration }, tables: [{ table: "far" }] },
  ],
};

let database: TestDatabase;
let other: OtherDatabase;
let engine: TestEngine;

beforeAll(async () => {
  database = await createDatabase("no_columns");
  await query(
    database.url,
    "create table item (id int primary key); create table near (id int primary key); insert into item values (1), (2); insert into near values (5), (6)",
  );
  other = await otherDatabase(
    "no_columns_far",
    "create table far (id int primary key); insert into far values (7), (8)",
  );
  engine = new TestEngine(database.url, new Map([["other", other]]));
  const { inconsistencies } = await engine.load(metadata);
  expect(inconsistencies).toEqual([]);
});

afterAll(async () => {
  await engine.close();
  await other.close();
  await database.drop();
});

const ask = (text: string, session: Readonly<Record<string, string>> = {}, role = "admin") =>
  engine.ask(role, text, session);

describe("Relationships without columns", () => {
  it("A relationship without columns returns rows of the same database", async () => {
    const text = `{ item(where: {near: {id: {_eq: 5}}}) {
      near(order_by: {id: asc}) { id } first_near { __typename } near_aggregate { aggregate { count } }
    } }`;
    const each = {
      near: [{ id: 5 }, { id: 6 }],
      first_near: { __typename: "near" },
      near_aggregate: { aggregate: { count: 2 } },
    };
    expect(await ask(text)).toEqual({ item: [each, each] });
  });

  it("A relationship without columns to another database reads its rows once", async () => {
    const text = `{ item {
      far(order_by: {id: desc}, limit: 1) { id } first_far { __typename } far_aggregate { aggregate { count } }
    } }`;
    const each = { far: [{ id: 8 }], first_far: { __typename: "far" }, far_aggregate: { aggregate: { count: 2 } } };
    other.sent.length = 0;
    expect(await ask(text)).toEqual({ item: [each, each] });
    expect(other.sent).toHaveLength(1);
  });

  it("A relationship without columns can be used in permissions", async () => {
    expect(await ask("{ item(order_by: {id: asc}) { id } }", { "x-engine-near": "5" }, "clerk")).toEqual({
      item: [{ id: 1 }, { id: 2 }],
    });
    expect(await ask("{ item { id } }", { "x-engine-near": "9" }, "clerk")).toEqual({ item: [] });
  });
});
