/** Relationships between PostgreSQL and SQL Server in both directions, with a fake SQL Server driver. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { DriverSession, ResultSet } from "../../../runtime/databases/sources/mssql/driver.ts";
import { openMssql } from "../../../runtime/databases/sources/mssql/open-mssql.ts";
import { resolveMssqlSettings } from "../../../runtime/databases/sources/mssql/settings.ts";
import { TestEngine } from "../../support/compiled.ts";
import { createDatabase, query, type TestDatabase } from "../../support/database.ts";
import { shopShape, shopTables } from "../../support/mssql-shop.ts";
import { problemsOfTsql } from "../../support/tsql.ts";

const schema = `
  create table author (id int primary key, name text not null, shopper int);
  insert into author values (1, 'Ada', 7), (2, 'Jo', 8), (3, 'Kim', 7), (4, 'Lu', null);
  create function label(author) returns text stable language sql as $$ select $1.name || '!' $$;
`;

const toSource = (relationship_type: string, source: string, table: unknown, field_mapping: object) => ({
  to_source: { relationship_type, source, table, field_mapping },
});

const customer = { schema: "dbo", name: "customer" };

const metadata = {
  version: 3,
  sources: [
    {
      name: "default",
      kind: "postgres",
      configuration: { connection_info: { database_url: "postgres://unused" } },
      tables: [
        {
          table: "author",
          select_permissions: [
            {
              role: "buyer",
              permission: { columns: ["id"], filter: { customer: { name: { _like: "X-Engine-Name" } } } },
            },
          ],
          remote_relationships: [
            { name: "customer", definition: toSource("object", "shop", customer, { shopper: "id" }) },
            { name: "both", definition: toSource("array", "shop", customer, { shopper: "id", name: "name" }) },
          ],
        },
      ],
    },
    {
      name: "shop",
      kind: "mssql",
      configuration: { connection_info: { connection_string: "Server=unused" } },
      tables: shopTables.map((table) => {
        if (table.table !== "customer") return table;
        const definition = toSource("array", "default", "author", { id: "shopper", name: "name" });
        const author = toSource("object", "default", "author", { id: "shopper" });
        return {
          ...table,
          select_permissions: [
            { role: "buyer", permission: { columns: ["id"], filter: { author: { name: { _eq: "X-Engine-Name" } } } } },
          ],
          remote_relationships: [
            { name: "authors", definition },
            { name: "author", definition: author },
          ],
        };
      }),
    },
  ],
};

const settings = resolveMssqlSettings("shop", { connection_string: "Server=unused" }, { variables: {} });

/** The statements sent to SQL Server, and the rows for the next ones. */
const statements: { readonly text: string; readonly values: readonly (string | null)[] }[] = [];
let rows: readonly (readonly unknown[])[] = [];

const session: DriverSession = {
  async execute(text, values): Promise<readonly ResultSet[]> {
    statements.push({ text, values });
    return [{ columns: (rows[0] ?? []).map(() => ""), rows }];
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
  database = await createDatabase("joined_shop");
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

describe("Relationships between PostgreSQL and SQL Server", () => {
  it("A join reads all keys from SQL Server in one statement", async () => {
    rows = [
      ["0", '0\u001f{"name":"Kim"}\u001e1\u001fnull'],
      ["1", '0\u001f[{"id":7}]\u001e1\u001f[]'],
    ];
    const text = `{ author(order_by: {id: asc}) {
      customer { name } both(where: {name: {_like: "K%"}}, limit: 3, order_by: {name: desc}) { id }
    } }`;
    const found = await engine.ask("admin", text);
    expect(found).toEqual({
      author: [
        { customer: { name: "Kim" }, both: [{ id: 7 }] },
        { customer: null, both: [] },
        { customer: { name: "Kim" }, both: null },
        { customer: null, both: null },
      ],
    });
    expect(statements).toHaveLength(1);
    expect(statements.flatMap((statement) => problemsOfTsql(statement.text))).toEqual([]);
    expect(statements[0]?.values).toContain('["7","8"]');
    expect(statements[0]?.text).toMatchInlineSnapshot(`
      "select N'0' as p, string_agg(concat(t4.i, nchar(31), cast(isnull(t4.v, N'null') as nvarchar(max))), nchar(30)) as v from (select t2.i as i, json_query(case when t3.[id] is not null then json_query((select t3.[name] as [name] for json path, include_null_values, without_array_wrapper)) end) as v from (select t1.i as i, cast(t1.k1 as int) as k1 from (select l.*, l.n as i from (select cast(l1.[key] as int) as n, l1.[value] as k1 from openjson(@p1) l1) l) t1) t2 left join [dbo].[customer] t3 on t3.[id] = t2.k1) t4
      union all select N'1' as p, string_agg(concat(t8.i, nchar(31), cast(isnull(t8.v, N'null') as nvarchar(max))), nchar(30)) as v from (select t6.i as i, json_query(isnull((select top (cast(@p2 as bigint)) t7.[id] as [id] from [dbo].[customer] t7 where (t7.[id] = t6.k1 and t7.[name] = t6.k2) and (t7.[name] like @p3) order by iif(t7.[name] is null, 0, 1) asc, t7.[name] desc for json path, include_null_values), N'[]')) as v from (select t5.i as i, cast(t5.k1 as int) as k1, case when datalength(t5.k2) <= 200 then convert(nvarchar(100), convert(varbinary(200), t5.k2)) end as k2 from (select l.*, l.n as i from (select cast(l1.[key] as int) as n, l1.[value] as k1, l2.[value] as k2 from openjson(@p4) l1 join openjson(@p5) l2 on l2.[key] = l1.[key]) l) t5) t6) t8"
    `);
  });

  it("A join reads the keys of SQL Server rows from PostgreSQL", async () => {
    rows = [['[{"authors":{"k1":7,"k2":"Ada"}},{"authors":{"k1":7,"k2":"Jo"}},{"authors":null}]']];
    const found = await engine.ask("admin", "{ customer { authors { id name } } }");
    expect(found).toEqual({
      customer: [{ authors: [{ id: 1, name: "Ada" }] }, { authors: [] }, { authors: null }],
    });
    expect(statements.flatMap((statement) => problemsOfTsql(statement.text))).toEqual([]);
    expect(statements.map((statement) => statement.text)).toMatchInlineSnapshot(`
      [
        "select json_query(isnull((select json_query(case when t1.[id] is not null and t1.[name] is not null then json_query((select t1.[id] as [k1], t1.[name] as [k2] for json path, include_null_values, without_array_wrapper)) end) as [authors] from [dbo].[customer] t1 for json path, include_null_values), N'[]'))",
      ]
    `);
  });

  it("Permissions across both databases read their values first, in either direction", async () => {
    rows = [['[{"v":7},{"v":9}]']];
    const session = { "x-engine-name": "K%" };
    expect(await engine.ask("buyer", "{ author(order_by: {id: asc}) { id } }", session)).toEqual({
      author: [{ id: 1 }, { id: 3 }],
    });
    rows = [['[{"id":7}]']];
    expect(await engine.ask("buyer", "{ customer { id } }", { "x-engine-name": "Ada" })).toEqual({
      customer: [{ id: 7 }],
    });
    expect(statements.flatMap((statement) => problemsOfTsql(statement.text))).toEqual([]);
    expect(statements.map(({ values }) => values)).toEqual([["K%"], ['["7"]']]);
    expect(statements.map(({ text }) => text)).toMatchInlineSnapshot(`
      [
        "select json_query(isnull((select top (100001) d.v as [v] from (select distinct t.[id] as v from [dbo].[customer] t where t.[id] is not null and (t.[name] like @p1)) d for json path, include_null_values), N'[]'))",
        "select json_query(isnull((select t1.[id] as [id] from [dbo].[customer] t1 where t1.[id] in (select cast([value] as int) from openjson(@p1)) for json path, include_null_values), N'[]'))",
      ]
    `);
  });
});
