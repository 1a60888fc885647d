import { describe, expect, it } from "vitest";
import { introspect } from "../../../compiler/1-introspect/introspect.ts";
import type { Dialect } from "../../../compiler/dialects/dialect.ts";
import { dialectOf } from "../../../compiler/dialects/index.ts";
import { enumColumns, postgres, readEnumValues } from "../../../compiler/dialects/postgres/introspect.ts";
import { type ColumnShape, emptyShape, type Shape, type TableShape } from "../../../compiler/shape/shape.ts";

function column(name: string, type = "text"): ColumnShape {
  return {
    name,
    position: 1,
    type: { schema: "pg_catalog", name: type, sql: type, category: "base" },
    nullable: true,
    hasDefault: false,
    identity: null,
    generated: false,
    comment: null,
  };
}

function table(name: string, key: readonly string[] | null, columns: readonly ColumnShape[]): TableShape {
  return {
    schema: "public",
    name,
    id: 1,
    kind: "table",
    comment: null,
    columns,
    primaryKey: key === null ? null : { name: "key", columns: key },
    uniqueKeys: [],
    foreignKeys: [],
    insertable: true,
    updatable: true,
    deletable: true,
  };
}

describe("Columns of enum tables", () => {
  it.each([
    ["only a key", ["v"], [column("v")], { value: "v", comment: null }],
    ["a key and a comment", ["v"], [column("c"), column("v")], { value: "v", comment: "c" }],
    ["a comment that is not text", ["v"], [column("v"), column("c", "int4")], { value: "v", comment: null }],
    ["more columns", ["v"], [column("v"), column("a"), column("b")], { value: "v", comment: null }],
    ["a key that is not text", ["v"], [column("v", "varchar")], undefined],
    ["a key of two columns", ["v", "w"], [column("v"), column("w")], undefined],
    ["no key", null, [column("v")], undefined],
  ])("enumColumns returns the value and comment columns of a table with %s", (_, key, columns, expected) => {
    expect(enumColumns(table("t", key, columns))).toEqual(expected);
  });
});

describe("Values of enum tables", () => {
  it("readEnumValues quotes every name", async () => {
    const statements: string[] = [];
    const query = async (sql: string) => {
      statements.push(sql);
      return [];
    };
    await readEnumValues(query, { schema: 'a"b', name: "c d" }, { value: "E", comment: 'f"' });
    await readEnumValues(query, { schema: "s", name: "t" }, { value: "v", comment: null });
    expect(statements).toEqual([`SELECT "E", "f""" FROM "a""b"."c d"`, `SELECT "v", NULL FROM "s"."t"`]);
  });

  it("readEnumValues sorts by value", async () => {
    const query = async () => [
      ["b", null],
      ["a", "first"],
      ["B", ""],
    ];
    expect(await readEnumValues(query, { schema: "s", name: "t" }, { value: "v", comment: "c" })).toEqual([
      { value: "B", comment: "" },
      { value: "a", comment: "first" },
      { value: "b", comment: null },
    ]);
  });
});

describe("Introspection of enum tables", () => {
  const shape: Shape = {
    ...emptyShape("postgres"),
    tables: [
      table("color", ["v"], [column("v")]),
      table("other", ["v"], [column("v")]),
      table("wrong", null, [column("v")]),
    ],
  };
  const dialect: Dialect = {
    ...postgres,
    introspect: async () => shape,
    readEnumValues: async (_, { name }) => [{ value: name, comment: null }],
  };

  it("Introspection reads the values of exactly the named tables that can be enums", async () => {
    const names = ["color", "wrong", "missing"].map((name) => ({ schema: "public", name }));
    const read = await introspect(dialect, async () => [], [...names, { schema: "elsewhere", name: "other" }]);
    expect(read.tables.map((each) => each.enumValues)).toEqual([
      [{ value: "color", comment: null }],
      undefined,
      undefined,
    ]);
  });
});

describe("Dialects by kind", () => {
  it("dialectOf returns the dialect of each kind", () => {
    for (const kind of ["postgres", "mssql"] as const) expect(dialectOf(kind).kind).toBe(kind);
    expect(dialectOf("postgres")?.defaultSchema).toBe("public");
  });
});
