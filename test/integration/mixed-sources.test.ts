/** PostgreSQL and SQL Server in one schema: the first is real, a fake driver stands for the second. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { DriverSession, ResultSet } from "../../runtime/databases/sources/mssql/driver.ts";
import { openMssql } from "../../runtime/databases/sources/mssql/open-mssql.ts";
import { resolveMssqlSettings } from "../../runtime/databases/sources/mssql/settings.ts";
import { TestEngine } from "../support/compiled.ts";
import { createDatabase, query, type TestDatabase } from "../support/database.ts";
import { shopShape, shopTables } from "../support/mssql-shop.ts";
import { problemsOfTsql } from "../support/tsql.ts";

const schema = `
  create table author (id int primary key, name text not null);
  insert into author values (1, 'Ada'), (2, 'Jo');
`;

const metadata = {
  version: 3,
  sources: [
    {
      name: "default",
      kind: "postgres",
      configuration: { connection_info: { database_url: "postgres://unused" } },
      tables: [{ table: "author" }],
    },
    {
      name: "shop",
      kind: "mssql",
      configuration: { connection_info: { connection_string: "Server=unused" } },
      tables: shopTables,
    },
  ],
};

const settings = resolveMssqlSettings("shop", { connection_string: "Server=unused" }, { variables: {} });

/** The statements that SQL Server receives, and the responses that it returns next. */
const statements: { readonly text: string; readonly values: readonly (string | null)[] }[] = [];
let answer: readonly unknown[] | Error = [];

const session: DriverSession = {
  async execute(text, values): Promise<readonly ResultSet[]> {
    statements.push({ text, values });
    if (answer instanceof Error) throw answer;
    return [{ columns: answer.map(() => ""), rows: [answer] }];
  },
  batch: () => Promise.reject(new Error("no batch is expected")),
};
const nothing = async (): Promise<void> => undefined;
const shop = openMssql(settings, async () => ({
  ...session,
  begin: async () => ({ ...session, commit: nothing, rollback: nothing }),
  cancelAll: () => 0,
  close: nothing,
}));

let database: TestDatabase;
let engine: TestEngine;

beforeAll(async () => {
  database = await createDatabase("mixed_sources");
  await query(database.url, schema);
  engine = new TestEngine(database.url, new Map([["shop", { shape: shopShape, database: shop }]]));
  const { inconsistencies } = await engine.load(metadata);
  expect(inconsistencies).toEqual([]);
});

afterAll(async () => {
  await engine.close();
  await shop.close();
  await database.drop();
});

beforeEach(() => {
  statements.length = 0;
});

describe("Requests to two kinds of source", () => {
  it("A query to two kinds of source returns its fields in order", async () => {
    answer = ['[{"id":7,"customer":{"name":"Kim"}}]', '{"aggregate":{"count":2}}'];
    const text = `query ($name: String!, $least: Float!) {
      sales_order(where: { total: { _gt: $least } }, limit: 1) { id customer { name } }
      author(where: { name: { _eq: $name } }) { id name }
      customer_aggregate { aggregate { count } }
    }`;
    const data = await engine.ask("admin", text, {}, { name: "Jo", least: 1.5 });
    expect(JSON.stringify(data)).toBe(
      JSON.stringify({
        sales_order: [{ id: 7, customer: { name: "Kim" } }],
        author: [{ id: 2, name: "Jo" }],
        customer_aggregate: { aggregate: { count: 2 } },
      }),
    );
    // One statement for each source.
    expect(statements.map(({ values }) => values)).toEqual([["1", "1.5"]]);
    expect(statements.flatMap((statement) => problemsOfTsql(statement.text))).toEqual([]);
  });

  it("A query to two kinds of source fails as a whole", async () => {
    answer = Object.assign(new Error("Invalid object name 'customer'."), { code: "EREQUEST", number: 208 });
    const both = engine.ask("admin", "{ author { id } customer { id } }");
    await expect(both).rejects.toMatchObject({ code: "unexpected", message: "database query error" });
  });

  it("A mutation to two kinds of source runs field after field", async () => {
    answer = ["2"];
    const text =
      "mutation { delete_author(where: {id: {_eq: 1}}) { affected_rows } delete_customer(where: {}) { affected_rows } }";
    expect(await engine.ask("admin", text)).toEqual({
      delete_author: { affected_rows: 1 },
      delete_customer: { affected_rows: 2 },
    });
    expect(statements.flatMap((statement) => problemsOfTsql(statement.text))).toEqual([]);
    expect(statements).toHaveLength(1);
  });
});
