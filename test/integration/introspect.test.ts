/** Introspection against a real PostgreSQL: the Shape of every kind of object. */
import { describe, expect, it } from "vitest";
import { introspect } from "../../compiler/1-introspect/introspect.ts";
import { postgres } from "../../compiler/dialects/postgres/introspect.ts";
import type { ColumnShape, FunctionShape, TableShape, TypeRef } from "../../compiler/shape/shape.ts";
import { client, inTransaction, queryOf, shape, table, useIntrospected } from "../support/introspected.ts";

useIntrospected();

function column(of: TableShape, name: string): ColumnShape {
  const found = of.columns.find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(`no column ${name}`);
  return found;
}

function functions(name: string): readonly FunctionShape[] {
  return shape.functions.filter((candidate) => candidate.schema === "shop" && candidate.name === name);
}

function functionOf(name: string): FunctionShape {
  const [found] = functions(name);
  if (found === undefined) throw new Error(`no function ${name}`);
  return found;
}

const text: TypeRef = { schema: "pg_catalog", name: "text", sql: "text", category: "base" };
const integer: TypeRef = { schema: "pg_catalog", name: "int4", sql: "integer", category: "base" };
/** Operator names in code-point order. */
const citextOperators = {
  schema: "ext",
  names: "!~ !~* !~~ !~~* < <= <> = > >= ~ ~* ~~ ~~*".split(" "),
};
const mood: TypeRef = { schema: "shop", name: "mood", sql: "shop.mood", category: "enum" };
describe("Introspected tables", () => {
  it("Introspection lists every relation of the database's own schemas in order", async () => {
    expect(shape.tables.map((each) => `${each.schema}.${each.name} ${each.kind}`)).toEqual([
      'Odd "Ünïcode" schema.Täble; DROP table',
      "public.event partitioned_table",
      "public.event_1 table",
      "public.event_2 partitioned_table",
      "public.event_2_1 table",
      "public.no_columns table",
      "public.orders table",
      "public.points_inside table",
      "public.region table",
      "public.visit partitioned_table",
      "public.visit_1 table",
      "shop.bare_color table",
      "shop.color table",
      "shop.customer table",
      "shop.grouped view",
      "shop.numbered_color table",
      "shop.of_catalog view",
      "shop.read_only_remote foreign_table",
      "shop.remote foreign_table",
      "shop.simple view",
      "shop.stored materialized_view",
      "shop.triggered view",
      "shop.wide_color table",
      "shop.writable_remote foreign_table",
    ]);
    expect(shape.tables.filter((each) => each.isPartition).map((each) => each.name)).toEqual([
      "event_1",
      "event_2",
      "event_2_1",
      "visit_1",
    ]);
  });

  it("Introspection returns the server version and table oids", async () => {
    const [row] = await queryOf(client)(
      "SELECT current_setting('server_version'), 'shop.customer'::regclass::oid, 'shop.search'::regproc::oid",
    );
    expect(`${row?.[0]} `.startsWith(`${shape.serverVersion} `)).toBe(true);
    expect(String(table("shop", "customer").id)).toBe(row?.[1]);
    expect(String(functionOf("search").id)).toBe(row?.[2]);
  });

  it("Introspection lists columns by position without dropped ones", () => {
    const customer = table("shop", "customer");
    expect(customer.comment).toBe("People who pay */ ` 😀");
    expect(customer.columns.map((each) => `${each.position} ${each.name} ${each.type.sql}`)).toEqual([
      "1 id integer",
      "2 email ext.citext",
      "3 path ext.ltree",
      "4 mood shop.mood",
      "5 moods shop.mood[]",
      "6 rating shop.rating",
      "7 strict_rating shop.strict_rating",
      "8 total shop.money_amount",
      "9 totals shop.money_amount[]",
      "10 span shop.float_range",
      '12 odd "select"."Type"',
      "13 name character varying",
      "14 upper_name text",
      "15 serial_number integer",
    ]);
    expect(column(customer, "email")).toEqual({
      name: "email",
      position: 2,
      type: { schema: "ext", name: "citext", sql: "ext.citext", category: "base", operators: citextOperators },
      nullable: false,
      hasDefault: false,
      identity: null,
      generated: false,
      comment: 'Where "they" are',
    });
    expect(table("public", "no_columns").columns).toEqual([]);
  });

  it("Introspection distinguishes default, identity and generated columns", () => {
    const customer = table("shop", "customer");
    const written = (name: string) => {
      const { hasDefault, identity, generated, nullable } = column(customer, name);
      return { hasDefault, identity, generated, nullable };
    };
    expect(written("id")).toEqual({ hasDefault: false, identity: "always", generated: false, nullable: false });
    expect(written("serial_number")).toEqual({
      hasDefault: false,
      identity: "by_default",
      generated: false,
      nullable: false,
    });
    expect(written("upper_name")).toEqual({ hasDefault: false, identity: null, generated: true, nullable: true });
    expect(written("mood")).toEqual({ hasDefault: true, identity: null, generated: false, nullable: true });
    expect(written("path")).toEqual({ hasDefault: false, identity: null, generated: false, nullable: true });
  });

  it("A domain's NOT NULL and default apply to tables, but NOT NULL does not apply to views", () => {
    const customer = table("shop", "customer");
    expect(column(customer, "rating")).toMatchObject({ nullable: false, hasDefault: true });
    expect(column(customer, "strict_rating")).toMatchObject({ nullable: false, hasDefault: true });
    expect(column(table("shop", "simple"), "rating")).toMatchObject({ nullable: true, hasDefault: false });
  });

  it("Introspection keeps names with quotes, capitals and non-ASCII characters", () => {
    const odd = table('Odd "Ünïcode" schema', "Täble; DROP");
    expect(odd.columns.map((each) => each.name)).toEqual(['Cölumn "x"', "select", "𝒳", "kind"]);
    expect(odd.primaryKey?.columns).toEqual(['Cölumn "x"']);
    expect(column(odd, "kind").type.sql).toBe(`"Odd ""Ünïcode"" schema"."Kind's"[]`);
    expect(shape.types).toContainEqual({
      kind: "enum",
      schema: 'Odd "Ünïcode" schema',
      name: "Kind's",
      values: ["it's", 'a"b', "c\\d"],
    });
  });
});

describe("Introspected keys", () => {
  it("Introspection lists the primary key in key order and unique constraints by name, without plain indexes", () => {
    expect(table("public", "orders").primaryKey).toEqual({ name: "orders_key", columns: ["number", "region"] });
    expect(table("shop", "customer").uniqueKeys).toEqual([
      { name: "a_name_mood", columns: ["name", "mood"] },
      { name: "z_email", columns: ["email"] },
    ]);
    expect(table("shop", "simple").primaryKey).toBeNull();
  });

  it("Introspection lists foreign keys by name with matching columns", () => {
    expect(table("public", "orders").foreignKeys).toEqual([
      {
        name: "a_customer",
        id: expect.any(Number),
        columns: ["customer_id"],
        foreignTable: { schema: "shop", name: "customer" },
        foreignColumns: ["id"],
      },
      {
        name: "b_parent",
        id: expect.any(Number),
        columns: ["parent_region", "parent_number"],
        foreignTable: { schema: "public", name: "orders" },
        foreignColumns: ["region", "number"],
      },
    ]);
    expect(table("public", "points_inside").foreignKeys).toEqual([]);
  });

  it("A foreign key of partitioned tables is listed once for each table that has it", () => {
    const targets = (name: string) => table("public", name).foreignKeys.map((key) => key.foreignTable.name);
    expect(targets("visit")).toEqual(["event"]);
    expect(targets("visit_1")).toEqual(["event"]);
    expect(targets("event")).toEqual(["region"]);
    expect(targets("event_1")).toEqual(["region"]);
    expect(targets("event_2_1")).toEqual(["region"]);
    expect(table("public", "event_2_1").primaryKey?.columns).toEqual(["id", "day"]);
  });
});

describe("Writable relations", () => {
  it.each([
    ["customer", { insertable: true, updatable: true, deletable: true }],
    ["simple", { insertable: true, updatable: true, deletable: true }],
    ["grouped", { insertable: false, updatable: false, deletable: false }],
    ["triggered", { insertable: true, updatable: false, deletable: false }],
    ["stored", { insertable: false, updatable: false, deletable: false }],
    ["remote", { insertable: false, updatable: false, deletable: false }],
    ["writable_remote", { insertable: true, updatable: true, deletable: true }],
    ["read_only_remote", { insertable: false, updatable: false, deletable: false }],
  ])("Introspection reports the writes that the relation %s accepts", (name, writes) => {
    expect(table("shop", name)).toMatchObject(writes);
  });

  it("Introspection reports partitioned tables as writable", () => {
    expect(table("public", "event")).toMatchObject({ insertable: true, updatable: true, deletable: true });
  });
});

describe("Introspected types", () => {
  it("Introspection resolves arrays, domains and composite types", () => {
    const customer = table("shop", "customer");
    expect(column(customer, "moods").type).toEqual({
      schema: "shop",
      name: "_mood",
      sql: "shop.mood[]",
      category: "base",
      element: mood,
    });
    expect(column(customer, "strict_rating").type).toEqual({
      schema: "shop",
      name: "strict_rating",
      sql: "shop.strict_rating",
      category: "domain",
      base: integer,
    });
    expect(column(customer, "total").type.category).toBe("composite");
    expect(column(customer, "span").type.category).toBe("range");
  });

  it("Introspection lists exactly the types in use and their component types", () => {
    expect(shape.types.filter((type) => type.schema === "shop" || type.schema === "select")).toEqual([
      { kind: "enum", schema: "select", name: "Type", values: ["a"] },
      {
        kind: "range",
        schema: "shop",
        name: "float_range",
        subtype: { schema: "pg_catalog", name: "float8", sql: "double precision", category: "base" },
      },
      {
        kind: "composite",
        schema: "shop",
        name: "money_amount",
        fields: [
          { name: "amount", type: { schema: "pg_catalog", name: "numeric", sql: "numeric", category: "base" } },
          { name: "currency", type: mood },
        ],
      },
      { kind: "enum", schema: "shop", name: "mood", values: ["sad", "meh", "ok", "happy"] },
      { kind: "domain", schema: "shop", name: "positive", base: integer },
      { kind: "domain", schema: "shop", name: "rating", base: integer },
      { kind: "domain", schema: "shop", name: "strict_rating", base: integer },
    ]);
    expect(shape.types.filter((type) => type.schema === "pg_catalog")).toEqual([]);
  });

  it("A cast to an introspected type name yields that type without truncation", async () => {
    const createTable = `DO $$ BEGIN EXECUTE (
      SELECT format('CREATE TABLE public.every_type (%s)', string_agg(
        format('c%s %I.%I', t.oid, n.nspname, t.typname), ', '))
      FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace LEFT JOIN pg_type e ON e.oid = t.typelem
      WHERE t.typtype <> 'p' AND t.typname NOT LIKE '%rating'
        AND (t.typtype <> 'c' AND COALESCE(e.typtype NOT IN ('c', 'p'), true) OR n.nspname = 'shop')); END $$`;
    await inTransaction(createTable, async () => {
      const all = await introspect(postgres, queryOf(client));
      const columns = all.tables.find((each) => each.name === "every_type")?.columns ?? [];
      expect(columns.length).toBeGreaterThan(150);
      const casts = columns.map((each) => `pg_typeof(NULL::${each.type.sql})::oid`);
      const [oids] = await queryOf(client)(`SELECT ARRAY[${casts.join(", ")}]::text`);
      expect(oids?.[0]).toBe(`{${columns.map((each) => each.name.slice(1)).join(",")}}`);
      const sqlOf = (name: string) => columns.find((each) => each.type.name === name)?.type.sql;
      const [values] = await queryOf(client)(
        `SELECT '101'::${sqlOf("bit")}, 'abc'::${sqlOf("bpchar")}, '101'::${sqlOf("varbit")}, 'abc'::${sqlOf("varchar")}`,
      );
      expect(values).toEqual(["101", "abc", "101", "abc"]);
    });
  });
});

describe("Introspected functions", () => {
  it("Introspection lists functions without aggregates, procedures and those of extensions or the engine", () => {
    expect(shape.functions.map((each) => `${each.schema}.${each.name}`)).toEqual([
      "shop.from_view",
      "shop.full_name",
      "shop.listing",
      "shop.on_insert",
      "shop.outputs",
      "shop.over",
      "shop.over",
      "shop.search",
      "shop.sum_of",
    ]);
  });

  it("Introspection describes arguments, defaults and the returned table", () => {
    expect(functionOf("search")).toEqual({
      schema: "shop",
      name: "search",
      id: expect.any(Number),
      comment: "Finds",
      volatility: "stable",
      strict: true,
      variadic: false,
      returnsSet: true,
      returns: { schema: "shop", name: "customer", sql: "shop.customer", category: "composite" },
      returnsTable: { schema: "shop", name: "customer" },
      arguments: [
        { name: "query", type: text, hasDefault: false, table: null },
        { name: "limit_to", type: integer, hasDefault: true, table: null },
        { name: "kind", type: mood, hasDefault: true, table: null },
      ],
    });
  });

  it("Introspection finds the table of an unnamed argument", () => {
    const { arguments: list, volatility, returns, returnsTable } = functionOf("full_name");
    expect(list.map(({ name, table: of }) => ({ name, of }))).toEqual([
      { name: null, of: { schema: "shop", name: "customer" } },
      { name: "session", of: null },
    ]);
    expect({ volatility, returns, returnsTable }).toEqual({
      volatility: "immutable",
      returns: text,
      returnsTable: null,
    });
    expect(functionOf("from_view")).toMatchObject({
      returnsTable: { schema: "shop", name: "grouped" },
      arguments: [{ table: { schema: "shop", name: "simple" } }],
    });
  });

  it("Introspection lists each overload in the order of argument types", () => {
    expect(functions("over").map((each) => each.arguments[0]?.type.sql)).toEqual(["integer", "text"]);
  });

  it("Introspection lists only input arguments", () => {
    expect(functionOf("outputs").arguments.map((each) => each.name)).toEqual(["a", "c"]);
    expect(functionOf("listing").arguments.map((each) => each.name)).toEqual(["a"]);
    expect(functionOf("listing")).toMatchObject({
      returnsSet: true,
      returnsTable: null,
      returns: { category: "pseudo" },
    });
    expect(functionOf("sum_of")).toMatchObject({
      variadic: true,
      arguments: [{ name: "numbers", type: { sql: "integer[]", element: integer } }],
    });
  });
});

describe("Introspected enum tables", () => {
  it("Introspection reads the values of named enum tables in code unit order with comments", async () => {
    const names = ["color", "bare_color", "wide_color", "numbered_color", "missing"];
    const read = await introspect(
      postgres,
      queryOf(client),
      names.map((name) => ({ schema: "shop", name })),
    );
    const values = (name: string) => read.tables.find((each) => each.name === name)?.enumValues;
    expect(values("color")).toEqual([
      { value: "Blue", comment: null },
      { value: "green", comment: "cool" },
      { value: "red", comment: "warm" },
      { value: "äther", comment: "" },
    ]);
    expect(values("bare_color")).toEqual([
      { value: "a", comment: null },
      { value: "b", comment: null },
    ]);
    expect(values("wide_color")).toEqual([{ value: "w", comment: null }]);
    expect(values("numbered_color")).toBeUndefined();
    expect(shape.tables.some((each) => each.enumValues !== undefined)).toBe(false);
  });

  it("Introspection fails with the database's error if enum rows are not readable", async () => {
    await inTransaction("SET LOCAL ROLE pg_signal_backend", async () => {
      const denied = introspect(postgres, queryOf(client), [{ schema: "shop", name: "color" }]);
      await expect(denied).rejects.toThrow("permission denied");
    });
  });
});
