import { describe, expect, it } from "vitest";
import type { AnalyzedRelationship } from "../../../compiler/2-analyze/analyzed-table.ts";
import { inconsistencyEntry } from "../../../compiler/2-analyze/inconsistency.ts";
import type { Shape } from "../../../compiler/shape/shape.ts";
import {
  analysisOf,
  argument,
  functionShape,
  library,
  parsed,
  reasonsOf,
  rowType,
  shape,
  sourceOf,
  table,
  tableIn,
} from "./sample.ts";

const author = { table: "author" };
const article = { table: "article" };
const toAuthor = { name: "author", using: { foreign_key_constraint_on: "author_id" } };
const toArticles = {
  name: "articles",
  using: { foreign_key_constraint_on: { table: "article", column: "author_id" } },
};
const manual = (remote_table: string, column_mapping: Record<string, string>, more: object = {}) => ({
  name: "other",
  using: { manual_configuration: { remote_table, column_mapping, ...more } },
});

/** The relationship of this name in `public.article` or `public.author`. */
function resolved(key: string, name: string, tables: readonly object[], database?: Shape): AnalyzedRelationship {
  const analysis = analysisOf({ tables }, database === undefined ? {} : { shape: database });
  const found = tableIn(analysis, key).relationships.get(name);
  if (found === undefined) throw new Error(reasonsOf(analysis).join("; "));
  return found;
}

describe("a relationship by a foreign key", () => {
  it("of its own table", () => {
    const tables = [{ ...article, object_relationships: [{ ...toAuthor, comment: "who wrote it" }] }, author];
    expect(resolved("public.article", "author", tables)).toEqual({
      name: "author",
      kind: "object",
      comment: "who wrote it",
      target: "public.author",
      mapping: [{ local: "author_id", remote: "id" }],
      unique: true,
      required: true,
      origin: "foreign_key",
      insertionOrder: "before_parent",
    });
  });

  it("of the other table", () => {
    const tables = [article, { ...author, array_relationships: [toArticles] }];
    expect(resolved("public.author", "articles", tables)).toEqual({
      name: "articles",
      kind: "array",
      comment: undefined,
      target: "public.article",
      mapping: [{ local: "id", remote: "author_id" }],
      unique: false,
      required: false,
      origin: "foreign_key_of_other",
      insertionOrder: "after_parent",
    });
  });

  it("of the other table, one to one", () => {
    const passport = table("passport", {
      columns: { author_id: "int4!" },
      uniqueKeys: [["author_id"]],
      foreignKeys: [
        { columns: ["author_id"], foreignTable: { schema: "public", name: "author" }, foreignColumns: ["id"] },
      ],
    });
    const using = { foreign_key_constraint_on: { table: "passport", columns: ["author_id"] } };
    const tables = [{ ...author, object_relationships: [{ name: "passport", using }] }, { table: "passport" }];
    expect(resolved("public.author", "passport", tables, shape([...library.tables, passport]))).toMatchObject({
      kind: "object",
      unique: true,
      required: false,
      insertionOrder: "after_parent",
    });
  });

  const pair = (nullable: boolean): Shape =>
    shape([
      table("line", {
        columns: { a: "int4!", b: nullable ? "int4" : "int4!" },
        foreignKeys: [
          { columns: ["a", "b"], foreignTable: { schema: "public", name: "sheet" }, foreignColumns: ["x", "y"] },
        ],
      }),
      table("sheet", { columns: { x: "int4!", y: "int4!" }, primaryKey: ["x", "y"] }),
    ]);
  const line = (columns: readonly string[]) => [
    { table: "line", object_relationships: [{ name: "sheet", using: { foreign_key_constraint_on: columns } }] },
    { table: "sheet" },
  ];

  it("compares the set of columns and keeps the order of the key", () => {
    expect(resolved("public.line", "sheet", line(["b", "a"]), pair(false))).toMatchObject({
      mapping: [
        { local: "a", remote: "x" },
        { local: "b", remote: "y" },
      ],
      required: true,
    });
  });

  it("promises a row only if none of its columns can be NULL", () => {
    expect(resolved("public.line", "sheet", line(["a", "b"]), pair(true)).required).toBe(false);
  });

  it.each([["title"], ["author_id and more"]])("that is not there: %s", (columns) => {
    const on = columns === "title" ? "title" : ["author_id", "id"];
    const tables = [
      { ...article, object_relationships: [{ name: "author", using: { foreign_key_constraint_on: on } }] },
      author,
    ];
    const { inconsistencies } = analysisOf({ tables });
    expect(inconsistencies.map(inconsistencyEntry)).toEqual([
      {
        definition: {
          name: "author",
          using: { foreign_key_constraint_on: on },
          comment: null,
          source: "default",
          table: { schema: "public", name: "article" },
        },
        name: "object_relation author in table article in source default",
        reason:
          'Inconsistent object: in table "article": in relationship "author": no foreign constraint exists on the given column(s)',
        type: "object_relation",
      },
    ]);
  });

  it("of which there are several", () => {
    const key = { columns: ["a"], foreignTable: { schema: "public", name: "t" }, foreignColumns: ["id"] };
    const t = table("t", { columns: { id: "int4!", a: "int4" }, primaryKey: ["id"], foreignKeys: [key, key] });
    const tables = [{ table: "t", object_relationships: [{ name: "r", using: { foreign_key_constraint_on: "a" } }] }];
    expect(reasonsOf(analysisOf({ tables }, { shape: shape([t]) }))).toEqual([
      'in table "t": in relationship "r": more than one foreign key constraint exists on the given column(s)',
    ]);
  });

  it("to a table that is not tracked", () => {
    const tables = [{ ...article, object_relationships: [toAuthor] }];
    expect(reasonsOf(analysisOf({ tables }))).toEqual(['table "author" is not tracked']);
  });

  it("of a table that is not tracked", () => {
    const tables = [{ ...author, array_relationships: [toArticles] }];
    expect(reasonsOf(analysisOf({ tables }))).toEqual([
      'in table "author": in relationship "articles": table "article" does not exist in source: default',
    ]);
  });

  it("of a table that is inconsistent counts as of one that is not tracked", () => {
    const tables = [{ ...author, array_relationships: [toArticles] }, article];
    const [authors] = library.tables.filter(({ name }) => name === "author");
    expect(reasonsOf(analysisOf({ tables }, { shape: shape(authors ? [authors] : []) }))).toEqual([
      'no such table/view exists in source: "article"',
      'in table "author": in relationship "articles": table "article" does not exist in source: default',
    ]);
  });
});

describe("a manual relationship", () => {
  it("joins any columns", () => {
    const tables = [{ ...article, object_relationships: [manual("author", { editor_id: "age" })] }, author];
    expect(resolved("public.article", "other", tables)).toMatchObject({
      mapping: [{ local: "editor_id", remote: "age" }],
      unique: false,
      required: false,
      origin: "manual",
      insertionOrder: "before_parent",
    });
  });

  it("is unique when the other columns include a key", () => {
    const mapping = { editor_id: "id", title: "name" };
    const tables = [{ ...article, object_relationships: [manual("author", mapping)] }, author];
    expect(resolved("public.article", "other", tables).unique).toBe(true);
  });

  it("says when nested inserts write the other row", () => {
    const late = manual("author", { editor_id: "id" }, { insertion_order: "after_parent" });
    const tables = [{ ...article, object_relationships: [late] }, author];
    expect(resolved("public.article", "other", tables).insertionOrder).toBe("after_parent");
  });

  it("to many is written after its row, whatever is said", () => {
    const early = manual("article", { id: "editor_id" }, { insertion_order: "before_parent" });
    const tables = [article, { ...author, array_relationships: [early] }];
    expect(resolved("public.author", "other", tables).insertionOrder).toBe("after_parent");
  });

  it.each([
    [manual("none", { id: "id" }), 'table "none" is not tracked'],
    [manual("author", { idd: "id" }), 'table "article" has no field named "idd"'],
    [manual("author", { id: "idd" }), 'table "author" has no field named "idd"'],
  ])("that leads nowhere: %j", (relationship, reason) => {
    const tables = [{ ...article, array_relationships: [relationship] }, author];
    expect(reasonsOf(analysisOf({ tables }))).toEqual([reason]);
  });

  it("to a native query is no relationship of tables, and consistent", () => {
    const using = { manual_configuration: { remote_native_query: "q", column_mapping: { id: "id" } } };
    const tables = [{ ...article, array_relationships: [{ name: "q", using }] }];
    const returns = { fields: [{ name: "id", type: "integer" }] };
    const native_queries = [{ root_field_name: "q", code: "select 1 id", returns }];
    const analysis = analysisOf(parsed({ version: 3, sources: [sourceOf("default", tables, { native_queries })] }));
    expect(reasonsOf(analysis)).toEqual([]);
    expect(tableIn(analysis, "public.article").relationships.size).toBe(0);
  });
});

it("refuses a name that cannot stand in a GraphQL schema", () => {
  const tables = [{ ...article, object_relationships: [{ ...toAuthor, name: "the author" }] }, author];
  expect(reasonsOf(analysisOf({ tables }))).toEqual([
    'in table "article": in relationship "the author": cannot include "the author" in the GraphQL schema because  it is not a valid GraphQL identifier',
  ]);
});

describe("names of fields", () => {
  it("do not clash with columns", () => {
    const tables = [{ ...article, object_relationships: [{ ...toAuthor, name: "title" }] }, author];
    expect(reasonsOf(analysisOf({ tables }))).toEqual(["field definition conflicts with postgres column"]);
  });

  it("do not clash with custom names of columns", () => {
    const configuration = { column_config: { title: { custom_name: "author" } } };
    const tables = [{ ...article, configuration, object_relationships: [toAuthor] }, author];
    expect(reasonsOf(analysisOf({ tables }))).toEqual([
      'field definition conflicts with custom field name for postgres column "title"',
    ]);
  });

  const fullName = functionShape("full_name", { arguments: [argument("row", rowType("public", "article"))] });

  it("of a relationship and a computed field differ", () => {
    const tables = [
      {
        ...article,
        object_relationships: [toAuthor],
        computed_fields: [{ name: "author", definition: { function: "full_name" } }],
      },
      author,
    ];
    const analysis = analysisOf({ tables }, { shape: { ...library, functions: [fullName] } });
    expect(tableIn(analysis, "public.article").relationships.size).toBe(0);
    expect(tableIn(analysis, "public.article").computedFields.size).toBe(0);
    expect(analysis.inconsistencies.map(inconsistencyEntry)).toEqual([
      {
        objects: [
          {
            definition: { ...toAuthor, comment: null, source: "default", table: { schema: "public", name: "article" } },
            name: "object_relation author in table article in source default",
            type: "object_relation",
          },
          {
            definition: {
              name: "author",
              definition: { function: { schema: "public", name: "full_name" } },
              comment: null,
              source: "default",
              table: { schema: "public", name: "article" },
            },
            name: "computed_field author in table article in source default",
            type: "computed_field",
          },
        ],
        reason: 'Conflicting objects: conflicting definitions for field "author"',
      },
    ]);
  });

  it("of an object and an array relationship differ", () => {
    const tables = [
      {
        ...article,
        object_relationships: [toAuthor],
        array_relationships: [{ ...manual("author", { id: "id" }), name: "author" }],
      },
      author,
    ];
    const analysis = analysisOf({ tables });
    expect(analysis.inconsistencies.map(({ reason }) => reason)).toEqual([
      'Conflicting objects: conflicting definitions for field "author"',
    ]);
  });
});

describe("a manual relationship between columns of two types", () => {
  const withTypes = (own: string, other: string, more: Partial<Shape> = {}): readonly string[] => {
    const tables = [table("a", { columns: { x: own } }), table("b", { columns: { y: other } })];
    const metadata = [{ table: "a", object_relationships: [manual("b", { x: "y" })] }, { table: "b" }];
    return reasonsOf(analysisOf({ tables: metadata }, { shape: { ...shape(tables), ...more } }));
  };

  it.each([
    ["int4", "uuid"],
    ["uuid", "int8"],
    ["timestamptz", "numeric"],
    ["text", "uuid"],
    ["bool", "int4"],
    ["json", "json"],
  ])("is refused where the database has no equality: %s and %s", (own, other) => {
    const [reason, ...more] = withTypes(own, other);
    expect(more).toEqual([]);
    expect(reason).toContain('the columns cannot be compared: column "x" of table "a" has type');
    expect(reason).toContain('column "y" of table "b" has type');
  });

  it.each([
    ["int4", "int8"],
    ["int8", "numeric"],
    ["varchar", "text"],
    ["date", "timestamptz"],
    ["oid", "int4"],
    ["name", "text"],
  ])("is accepted where the database converts implicitly: %s and %s", (own, other) => {
    expect(withTypes(own, other)).toEqual([]);
  });

  it("is accepted where the owner of the database has added casts or operators for a type", () => {
    expect(withTypes("text", "uuid", { converted: ["text", "uuid"] })).toEqual([]);
    expect(withTypes("text", "int4", { converted: ["uuid"] })).toHaveLength(1);
  });
});
