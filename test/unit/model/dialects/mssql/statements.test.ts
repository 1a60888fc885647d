import { describe, expect, it } from "vitest";
import { bind } from "../../../../../runtime/model/definitions/parameters.ts";
import { render, sql } from "../../../../../runtime/model/definitions/sql.ts";
import { sqlServer } from "../../../../../runtime/model/dialects/mssql/dialect.ts";
import { mssql, typeNames } from "../../../../../runtime/model/dialects/mssql/scalars.ts";
import { planQuery } from "../../../../../runtime/model/planner/plan.ts";
import { planMutation } from "../../../../../runtime/model/planner/plan-mutation.ts";
import { planSubscription } from "../../../../../runtime/model/planner/plan-subscription.ts";
import { readOperation } from "../../../../../runtime/model/planner/request/document.ts";
import { roleSchema } from "../../../../../runtime/model/schema/role-schema.ts";
import { compileShape } from "../../../../support/compiled.ts";
import { shopShape, shopTables } from "../../../../support/mssql-shop.ts";
import { problemsOfTsql, problemsOn } from "../../../../support/tsql.ts";

const shop = compileShape(shopShape, shopTables);
const options = { stringifyNumbers: false, nullCollapse: false };

/** Returns all statements of an operation. */
function statements(role: string, query: string): readonly string[] {
  const operation = readOperation(query, null);
  const schema = roleSchema(shop.role(role));
  const make = query.startsWith("mutation")
    ? planMutation
    : query.startsWith("subscription")
      ? planSubscription
      : planQuery;
  const { plan } = make(operation, schema, {}, options);
  const texts = plan.statements.map(({ text, multiplexed }) => multiplexed?.text ?? text);
  return [...texts, ...plan.writes.flatMap(({ steps }) => steps.map(({ text }) => text))];
}

const queries: readonly (readonly [what: string, role: string, query: string])[] = [
  ["a list", "admin", "{ customer { id name version } }"],
  [
    "an order with nulls in the other position",
    "admin",
    "{ customer(order_by: [{email: asc_nulls_last}, {id: desc_nulls_first}]) { id } }",
  ],
  ["a slice", "admin", "{ customer(limit: 2, offset: 3) { id } }"],
  ["a slice of a limited role", "buyer", "{ sales_order(limit: 2, offset: 3, order_by: {id: asc}) { id } }"],
  ["an object relationship", "admin", "{ sales_order { id customer { name } } }"],
  [
    "an array relationship",
    "admin",
    "{ customer { orders(limit: 1, order_by: {placed_at: desc}) { lines { product } } } }",
  ],
  [
    "all fields of all types",
    "admin",
    `{ every_type { ${shopShape.tables
      .find(({ name }) => name === "every_type")
      ?.columns.map(({ name }) => name)
      .join(" ")} } }`,
  ],
  [
    "an order by types that cannot be sorted",
    "admin",
    "{ every_type(order_by: [{a_text: asc}, {a_ntext: desc}, {a_image: asc}]) { a_int } }",
  ],
  [
    "operators",
    "admin",
    `{ sales_order(where: {_or: [{id: {_in: [1, 2]}}, {label: {_nlike: "a%"}}, {is_paid: {_is_null: false}}], _not: {total: {_gt: 1.5e3}}}) { id } }`,
  ],
  ["empty conditions", "admin", "{ sales_order(where: {_or: [], _not: {}, _and: [{}]}) { id } }"],
  [
    "spatial operators",
    "admin",
    `{ every_type(where: {a_geometry: {_st_contains: "POINT (1 2)", _in: ["POINT (1 2)"]}, a_geography: {_neq: "POINT (1 2)"}}) { a_geometry } }`,
  ],
  [
    "a distance",
    "admin",
    `{ every_type(where: {a_geometry: {_st_d_within: {distance: 2, from: "POINT (1 2)"}}, a_geography: {_st_d_within: {distance: 1.5, from: "POINT (1 2)"}}}) { a_int } }`,
  ],
  [
    "patterns that ignore case",
    "admin",
    `{ every_type(where: {a_varchar: {_ilike: "A%"}, a_ntext: {_nilike: "%b"}}) { a_int } }`,
  ],
  ["a filter through relationships", "admin", `{ customer(where: {orders: {lines: {product: {_eq: "x"}}}}) { id } }`],
  [
    "an order by relationships",
    "admin",
    "{ sales_order(order_by: [{customer: {name: desc_nulls_last}}, {lines_aggregate: {count: asc}}, {lines_aggregate: {sum: {quantity: asc}}}]) { id } }",
  ],
  [
    "aggregates",
    "buyer",
    "{ sales_order_aggregate(order_by: {id: asc}) { aggregate { count(column: total, distinct: true) sum { total id } stddev_pop { id } variance { id } max { label } } nodes { id customer { name } } } }",
  ],
  [
    "aggregates of a relationship",
    "buyer",
    "{ customer { orders_aggregate(where: {total: {_gt: 3}}, limit: 5) { aggregate { count } nodes { id } } } }",
  ],
  [
    "counts of types that COUNT does not support",
    "admin",
    "{ every_type_aggregate { aggregate { a: count(column: a_text) b: count(column: a_ntext, distinct: true) c: count(column: a_image) d: count(column: a_xml, distinct: true) e: count(column: a_geometry) } } }",
  ],
  ["only names of types", "admin", "{ customer_aggregate { __typename aggregate { __typename } } }"],
  ["by primary key", "buyer", "{ sales_order_line_by_pk: sales_order_by_pk(id: 3) { id } }"],
  [
    "several root fields",
    "admin",
    "{ a: customer { id } b: sales_order_line_by_pk(order_id: 1, line: 2) { product } }",
  ],
  [
    "a live query",
    "buyer",
    `subscription { sales_order(where: {label: {_like: "a%"}}, limit: 3) { id customer { name } } }`,
  ],
  ["a live query without parameters", "admin", "subscription { customer { id } }"],
  [
    "an insert",
    "buyer",
    "mutation { insert_sales_order(objects: [{total: 1}, {total: 2}]) { affected_rows returning { id customer { name } } } }",
  ],
  ["an insert of one row", "buyer", "mutation { insert_sales_order_one(object: {total: 1}) { id customer { name } } }"],
  ["an insert of defaults", "admin", "mutation { insert_customer(objects: [{}, {}]) { affected_rows } }"],
  [
    "a nested insert",
    "admin",
    `mutation { insert_sales_order_one(object: {customer: {data: {name: "n"}}, lines: {data: [{line: 1, product: "p", quantity: 2}]}}) { id customer { id } lines { line } } }`,
  ],
  [
    "an update",
    "buyer",
    "mutation { update_sales_order(where: {id: {_eq: 1}}, _set: {total: 3}) { affected_rows returning { id lines: customer { name } } } }",
  ],
  [
    "an upsert",
    "admin",
    `mutation { insert_customer(objects: [{name: "n", email: "e"}], if_matched: {match_columns: [email], update_columns: [name], where: {id: {_gt: 1}}}) { affected_rows returning { id } } }`,
  ],
  [
    "an upsert that never matches",
    "admin",
    `mutation { insert_customer_one(object: {name: "n"}, if_matched: {update_columns: [name]}) { id } }`,
  ],
  [
    "an increment",
    "admin",
    "mutation { update_sales_order_by_pk(pk_columns: {id: 1}, _inc: {total: 1}) { id total } }",
  ],
  ["a delete", "buyer", "mutation { delete_sales_order(where: {total: {_lt: 3}}) { affected_rows returning { id } } }"],
  [
    "several mutations",
    "admin",
    "mutation { a: delete_sales_order_by_pk(id: 3) { id } b: delete_customer(where: {}) { affected_rows } }",
  ],
];

describe("T-SQL statements", () => {
  it("The SQL Server sample metadata has no inconsistencies", () => {
    expect(shop.analysis.inconsistencies.map(({ reason }) => reason)).toEqual([]);
  });

  it.each(queries)("A planned statement is valid T-SQL: %s", (_, role, query) => {
    const texts = statements(role, query);
    expect(texts.length).toBeGreaterThan(0);
    for (const text of texts) expect(problemsOfTsql(text)).toEqual([]);
  });

  it("A SQL Server statement returns one text for each root field", () => {
    const [text] = statements("buyer", "{ sales_order(limit: 2) { id customer { name } } }");
    expect(text).toBe(
      "select json_query(isnull((select top (iif(cast(@p1 as bigint) < 20, cast(@p1 as bigint), 20)) t1.[id] as [id], " +
        "json_query(case when t2.[id] is not null then json_query((select t2.[name] as [name] " +
        "for json path, include_null_values, without_array_wrapper)) end) as [customer] " +
        "from [sales].[order] t1 left join [dbo].[customer] t2 on (t2.[id] = t1.[customer_id]) " +
        "and (t2.[id] = cast(@p2 as int)) where t1.[customer_id] = cast(@p2 as int) or not (1 = 0) " +
        "for json path, include_null_values), N'[]'))",
    );
  });

  it("An upsert on SQL Server selects its rows under locks and does not use MERGE", () => {
    const [text = ""] = statements(
      "admin",
      `mutation { insert_customer(objects: [{name: "n", email: "e"}], if_matched: {match_columns: [email], update_columns: [name]}) { affected_rows } }`,
    );
    // Cast to the column's type, so that its index is used; no row has a value outside the type's range.
    const asColumn = (row: string) => `convert(varchar(120), ${row}.[email] collate database_default)`;
    const exactly = "collate Latin1_General_100_BIN2";
    const whole = (row: string) =>
      `${asColumn(row)} and convert(nvarchar(max), ${asColumn(row)}) ${exactly} = ${row}.[email] ${exactly}`;
    expect(text.split(";\n").slice(2, -2)).toEqual([
      "select r.n as [number of the row], r.c1 as [name], r.c2 as [email] into #engine_proposed from " +
        "(select cast(l1.[key] as int) as n, l1.[value] as c1, l2.[value] as c2 from openjson(@p1) l1 " +
        "join openjson(@p2) l2 on l2.[key] = l1.[key]) r",
      "select v.[number of the row] into #engine_matched from #engine_proposed v where exists " +
        `(select 1 from [dbo].[customer] m with (updlock, holdlock) where m.[email] = ${whole("v")})`,
      `if exists (select 1 from [dbo].[customer] t1 join #engine_proposed v on t1.[email] = ${whole("v")} join #engine_proposed d on t1.[email] = ${whole("d")} and d.[number of the row] > v.[number of the row]) begin throw 50672, N'two of the rows to insert match the same row, which can be updated only once', 1; end`,
      "update t1 set [name] = v.[name] output inserted.[id], inserted.[name], inserted.[email], inserted.[version] into #engine_written " +
        `from [dbo].[customer] t1 join #engine_proposed v on t1.[email] = ${whole("v")}`,
      "insert into [dbo].[customer] ([name], [email]) output inserted.[id], inserted.[name], inserted.[email], " +
        "inserted.[version] into #engine_written select v.[name], v.[email] from #engine_proposed v " +
        "where v.[number of the row] not in (select m.[number of the row] from #engine_matched m) order by v.[number of the row]",
      "drop table #engine_proposed, #engine_matched",
    ]);
  });

  it("A distinct count is refused for SQL Server types without equality", () => {
    const query = "{ every_type_aggregate { aggregate { count(column: a_geography, distinct: true) } } }";
    expect(() => statements("admin", query)).toThrow(
      'SQL Server cannot compare values of type "geography" for equality: count them without "distinct"',
    );
  });

  it("T-SQL text never contains values of a request", () => {
    const hostile = `x'); drop table customer; --`;
    const [text = ""] = statements("admin", `{ customer(where: {name: {_in: ["${hostile}"]}}) { id } }`);
    expect(text).not.toContain("drop");
  });

  it("A list is compared with text columns by the types of the columns", () => {
    const [text = ""] = statements("admin", `{ customer(where: {name: {_in: ["a"]}, email: {_nin: ["b"]}}) { id } }`);
    expect(text).toContain(
      "t1.[email] not in (select convert(varchar(120), [value] collate database_default) from openjson(@p2) " +
        "where [value] is null or convert(nvarchar(max), convert(varchar(120), [value] collate database_default)) " +
        "collate Latin1_General_100_BIN2 = [value] collate Latin1_General_100_BIN2)",
    );
    expect(text).toContain(
      "t1.[name] in (select convert(nvarchar(100), convert(varbinary(200), [value])) from openjson(@p1) " +
        "where [value] is null or datalength([value]) <= 200)",
    );
  });

  it("A multiplexed comparison uses varchar for ASCII values and nvarchar for others", () => {
    const operation = readOperation(
      "subscription ($email: String, $id: Int) { customer(where: {email: {_eq: $email}, id: {_gt: $id}}) { id } }",
      null,
    );
    const { plan } = planSubscription(operation, roleSchema(shop.role("admin")), { email: "e", id: 1 }, options);
    const multiplexed = plan.statements[0]?.multiplexed;
    const [plain = "", wide = ""] = multiplexed?.text.split(" union all ") ?? [];
    expect(plain).toContain(
      "from openjson(@p1) with (n int '$[0]', p1 varchar(8000) '$[1]', p2 nvarchar(max) '$[2]') v",
    );
    expect(plain).toContain("(t1.[email] = convert(varchar(8000), convert(varbinary(8000), v.p1)))");
    expect(plain).toContain("(t1.[id] > cast(v.p2 as int))");
    expect(wide).toContain(
      "from openjson(@p2) with (n int '$[0]', p1 nvarchar(max) '$[1]', p2 nvarchar(max) '$[2]') v",
    );
    expect(wide).toContain("(t1.[email] = convert(nvarchar(max), convert(varbinary(max), v.p1)))");
    expect(
      multiplexed?.values([
        ["a@b", "1"],
        ["ä@b", "2"],
        [null, "3"],
        ["x".repeat(8001), "4"],
      ]),
    ).toEqual(['[[1,"a@b","1"],[3,null,"3"]]', `[[2,"ä@b","2"],[4,"${"x".repeat(8001)}","4"]]`]);
    expect(problemsOfTsql(multiplexed?.text ?? "")).toEqual([]);
  });

  it("A list is sent to SQL Server as one parameter", () => {
    const ids = Array.from({ length: 5000 }, (_, i) => i);
    const operation = readOperation(`{ customer(where: {id: {_in: [${ids.join(",")}]}}) { id } }`, null);
    const { plan } = planQuery(operation, roleSchema(shop.role("admin")), {}, options);
    const [statement] = plan.statements;
    const values = bind(statement?.slots ?? [], { variables: {}, session: new Map() });
    expect(values).toEqual([JSON.stringify(ids.map(String))]);
    expect(statement?.text).toContain("in (select cast([value] as int) from openjson(@p1))");
  });

  it("A count of the values of several columns is refused", () => {
    const countOf = (columns: string) => `{orders_aggregate: {count: {arguments: ${columns}, predicate: {_gt: 1}}}}`;
    const count = (columns: string) => statements("admin", `{ customer(where: ${countOf(columns)}) { id } }`);
    expect(count("[label]")).toHaveLength(1);
    expect(() => count("[id, label]")).toThrow("SQL Server can count the values of only one column");
  });

  it("An alias longer than SQL Server allows is refused", () => {
    const alias = "a".repeat(129);
    expect(() => statements("admin", `{ customer { ${alias}: id } }`)).toThrow(
      `the name "${alias}" exceeds SQL Server's limit of 128 characters: use a shorter alias`,
    );
  });
});

describe("T-SQL operators", () => {
  it.each(typeNames)("The operators and orders of a type are valid T-SQL: %s", (name) => {
    const type = mssql(name, name === "vector" ? { cast: "vector(3)" } : {});
    const database = { level: name === "vector" ? 170 : 150, types: new Map([["a", name]]) };
    const column = sql`t.[a]`;
    const conditions = sqlServer.operators(type).flatMap((operator) => {
      if (operator.kind === "flag") return [operator.sql(column, true), operator.sql(column, false)];
      return operator.kind === "compare" ? [operator.sql(column, operator.operand.operand(sql`@p1`))] : [];
    });
    const orders = [...sqlServer.orderings.values()].map((order) => sqlServer.orderItem(column, order, type));
    const statements = [
      ...conditions.map((condition) => sql`select 1 as x from t where ${condition}`),
      ...(sqlServer.stream.hasOrder?.(type) ? orders.map((order) => sql`select 1 as x from t order by ${order}`) : []),
    ];
    expect(statements.length).toBeGreaterThan(1);
    const problems = statements.flatMap((statement) => problemsOn(database, render(statement, sqlServer).text));
    expect(problems).toEqual([]);
  });
});

describe("Rows passed between T-SQL statements", () => {
  const everything = shopShape.tables.find(({ name }) => name === "every_type");

  it("Rows passed between T-SQL statements are converted to text without loss", () => {
    const columns = everything?.columns.filter(({ generated }) => !generated).map(({ name }) => name) ?? [];
    expect(columns.length).toBeGreaterThan(30);
    const [insert = "", read = ""] = statements(
      "admin",
      "mutation { insert_every_type(objects: [{a_int: 1}, {a_bit: true}]) { returning { a_int a_float a_datetime a_varbinary } } }",
    ).toSpliced(1, 1);
    expect(insert).toContain("convert(nvarchar(max), [a_float], 3) as c");
    expect(insert).toContain("convert(nvarchar(max), [a_datetime], 126) as c");
    expect(insert).toContain("convert(nvarchar(max), convert(varbinary(max), [a_timestamp]), 1) as c");
    expect(insert).toContain("convert(nvarchar(max), [a_money], 2) as c");
    expect(insert).toContain("[a_hierarchyid].ToString() as c");
    expect(read).toContain("convert(binary(8), j.[a_timestamp], 1) as [a_timestamp]");
    expect(read).toContain("cast(cast(j.[a_datetime] as datetime2) as datetime) as [a_datetime]");
    expect(problemsOfTsql(insert)).toEqual([]);
    expect(problemsOfTsql(read)).toEqual([]);
  });
});
