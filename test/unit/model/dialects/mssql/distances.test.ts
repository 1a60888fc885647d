/** Vectors of SQL Server 2025: their SQL, which no test can run, and the missing operators. */
import { describe, expect, it } from "vitest";
import { roleSchema } from "../../../../../runtime/model/schema/role-schema.ts";
import { printSchema } from "../../../../../runtime/model/schema/sdl.ts";
import { compileShape } from "../../../../support/compiled.ts";
import { shapeOfDdl } from "../../../../support/mssql-ddl.ts";
import { planCase } from "../../../../support/plan-case.ts";
import { problemsOn } from "../../../../support/tsql.ts";

const ddl = `create table dbo.passage (
  id int not null,
  owner int not null,
  embedding vector(3),
  constraint passage_pkey primary key (id)
);
`;

const mine = { columns: ["id", "embedding"], filter: { owner: { _eq: "X-Engine-User-Id" } } };
const near = { columns: ["id"], filter: { embedding: { _cosine_distance: { to: [1, 0, 0], _lt: 0.5 } } } };
const tables = [
  {
    table: { schema: "dbo", name: "passage" },
    select_permissions: [
      { role: "owner", permission: mine },
      { role: "neighbor", permission: near },
    ],
  },
];

const compiled = compileShape(await shapeOfDdl(ddl), tables);

function planned(kind: "query" | "mutation", role: string, query: string, variables: Record<string, unknown> = {}) {
  const plan = planCase(compiled.role(role), kind, { query, role, variables, session: {} } as never);
  const statements = [...plan.statements, ...plan.writes.flatMap(({ steps }) => steps)].map(({ text }) => text);
  expect(statements.flatMap((text) => problemsOn({ level: 170 }, text))).toEqual([]);
  return statements;
}

describe("Vectors of SQL Server", () => {
  it("Rows are filtered and ordered by the distance after the row filter, with operands of the column's dimensions", () => {
    const query = `query ($to: vector!) { passage(
      where: {embedding: {_l2_distance: {to: "[1,2,3]", _gt: 0, _lte: 2}}}
      order_by: [{embedding_cosine_distance: {to: $to}}, {embedding_inner_product_distance: {to: $to, direction: desc}}]
      limit: 2
    ) { id embedding } }`;
    expect(planned("query", "owner", query, { to: [1, 2, 3] })).toMatchInlineSnapshot(`
      [
        "select json_query(isnull((select top (cast(@p1 as bigint)) t1.[id] as [id], json_query(cast(t1.[embedding] as nvarchar(max))) as [embedding] from [dbo].[passage] t1 where (t1.[owner] = cast(@p2 as int)) and (((vector_distance('euclidean', t1.[embedding], cast(@p3 as vector(3)))) > cast(@p4 as float) and (vector_distance('euclidean', t1.[embedding], cast(@p3 as vector(3)))) <= cast(@p5 as float))) order by vector_distance('cosine', t1.[embedding], cast(@p6 as vector(3))) asc, vector_distance('dot', t1.[embedding], cast(@p6 as vector(3))) desc for json path, include_null_values), N'[]'))",
      ]
    `);
  });

  it("A row filter contains a constant vector", () => {
    expect(planned("query", "neighbor", "{ passage { id } }")).toMatchInlineSnapshot(`
      [
        "select json_query(isnull((select t1.[id] as [id] from [dbo].[passage] t1 where 
        ((vector_distance('cosine', t1.[embedding], cast(N'[1,0,0]' as vector(3)))) < cast(N'0.5' as float)) for json path, include_null_values), N'[]'))",
      ]
    `);
  });

  it("The first rows of each group are those with the smallest distance", () => {
    const args = "top_per: {columns: owner, limit: 1}, order_by: {embedding_l2_distance: {to: [1, 2, 3]}}";
    expect(planned("query", "admin", `{ passage(${args}) { id } }`)).toMatchInlineSnapshot(`
      [
        "select json_query(isnull((select t1.[id] as [id] from (select g.* from (select t1.[id], t1.[owner], t1.[embedding], row_number() over (partition by t1.[owner] order by vector_distance('euclidean', t1.[embedding], cast(@p1 as vector(3))) asc, t1.[id] asc) as [place in group] from [dbo].[passage] t1) g where g.[place in group] <= cast(@p2 as bigint)) t1 order by vector_distance('euclidean', t1.[embedding], cast(@p1 as vector(3))) asc for json path, include_null_values), N'[]'))",
      ]
    `);
  });

  it("Vectors have no comparisons, plain orderings or taxicab distance", () => {
    const sdl = printSchema(roleSchema(compiled.role("admin")));
    const [comparisons = ""] = /input vector_MSSQL_comparison_exp \{[^}]*\}/.exec(sdl) ?? [];
    expect([...comparisons.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name)).toEqual([
      "_cosine_distance",
      "_inner_product_distance",
      "_is_null",
      "_l2_distance",
    ]);
    const [orderings = ""] = /input passage_order_by \{[^}]*\}/.exec(sdl) ?? [];
    expect([...orderings.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name)).toEqual([
      "embedding_cosine_distance",
      "embedding_inner_product_distance",
      "embedding_l2_distance",
      "id",
      "owner",
    ]);
  });

  it("A vector is not a group", () => {
    const query = "{ passage(top_per: {columns: embedding, limit: 1}) { id } }";
    expect(() => planned("query", "admin", query)).toThrow("cannot be compared for equality");
  });
});
