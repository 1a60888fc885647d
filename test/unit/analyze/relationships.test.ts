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

/** Returns the relationship of this name in `public.article` or `public.author`. */
function resolved(key: string, name: string, tables: readonly object[], database?: Shape): AnalyzedRelationship {
  const analysis = analysisOf({ tables }, database === undefined ? {} : { shape: database });
  const found = tableIn(analysis, key).relationships.get(name);
  if (found === undefined) throw new Error(reasonsOf(analysis).join("; "));
  return found;
}

describe("Relationships by foreign key", () => {
  it("A relationship may use a foreign key of its own table", () => {
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

  it("A relationship may use a foreign key of the other table", () => {
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

  it("A relationship by a unique foreign key of the other table is an object relationship", () => {
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

  it("A relationship by foreign key matches columns as a set and keeps the order of the key", () => {
    expect(resolved("public.line", "sheet", line(["b", "a"]), pair(false))).toMatchObject({
      mapping: [
        { local: "a", remote: "x" },
        { local: "b", remote: "y" },
      ],
      required: true,
    });
  });

  it("A relationship is required only if none of its columns is nullable", () => {
    expect(resolved("public.line", "sheet", line(["a", "b"]), pair(true)).required).toBe(false);
  });

  it.each([["title"], ["author_id and more"]])(
    "A relationship without a foreign key on its columns is inconsistent: %s",
    (columns) => {
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
    },
  );

  it("A relationship with several foreign keys on its column is inconsistent", () => {
    const key = { columns: ["a"], foreignTable: { schema: "public", name: "t" }, foreignColumns: ["id"] };
    const t = table("t", { columns: { id: "int4!", a: "int4" }, primaryKey: ["id"], foreignKeys: [key, key] });
    const tables = [{ table: "t", object_relationships: [{ name: "r", using: { foreign_key_constraint_on: "a" } }] }];
    expect(reasonsOf(analysisOf({ tables }, { shape: shape([t]) }))).toEqual([
      'in table "t": in relationship "r": more than one foreign key constraint exists on the given column(s)',
    ]);
  });

  it("A relationship to an untracked table is inconsistent", () => {
    const tables = [{ ...article, object_relationships: [toAuthor] }];
    expect(reasonsOf(analysisOf({ tables }))).toEqual(['table "author" is not tracked']);
  });

  it("A relationship by a foreign key of an untracked table is inconsistent", () => {
    const tables = [{ ...author, array_relationships: [toArticles] }];
    expect(reasonsOf(analysisOf({ tables }))).toEqual([
      'in table "author": in relationship "articles": table "article" does not exist in source: default',
    ]);
  });

  it("A relationship by a foreign key of an inconsistent table is reported as one of an untracked table", () => {
    const tables = [{ ...author, array_relationships: [toArticles] }, article];
    const [authors] = library.tables.filter(({ name }) => name === "author");
    expect(reasonsOf(analysisOf({ tables }, { shape: shape(authors ? [authors] : []) }))).toEqual([
      'no such table/view exists in source: "article"',
      'in table "author": in relationship "articles": table "article" does not exist in source: default',
    ]);
  });
});

describe("Manual relationships", () => {
  it("A manual relationship may join any columns", () => {
    const tables = [{ ...article, object_relationships: [manual("author", { editor_id: "age" })] }, author];
    expect(resolved("public.article", "other", tables)).toMatchObject({
      mapping: [{ local: "editor_id", remote: "age" }],
      unique: false,
      required: false,
      origin: "manual",
      insertionOrder: "before_parent",
    });
  });

  it("A manual relationship is unique if the remote columns include a key", () => {
    const mapping = { editor_id: "id", title: "name" };
    const tables = [{ ...article, object_relationships: [manual("author", mapping)] }, author];
    expect(resolved("public.article", "other", tables).unique).toBe(true);
  });

  it("A manual relationship sets the insertion order of nested rows", () => {
    const late = manual("author", { editor_id: "id" }, { insertion_order: "after_parent" });
    const tables = [{ ...article, object_relationships: [late] }, author];
    expect(resolved("public.article", "other", tables).insertionOrder).toBe("after_parent");
  });

  it("A manual array relationship always inserts nested rows after the parent", () => {
    const early = manual("article", { id: "editor_id" }, { insertion_order: "before_parent" });
    const tables = [article, { ...author, array_relationships: [early] }];
    expect(resolved("public.author", "other", tables).insertionOrder).toBe("after_parent");
  });

  it.each([
    [manual("none", { id: "id" }), 'table "none" is not tracked'],
    [manual("author", { idd: "id" }), 'table "article" has no field named "idd"'],
    [manual("author", { id: "idd" }), 'table "author" has no field named "idd"'],
  ])("A manual relationship with an unknown target or column is inconsistent: %j", (relationship, reason) => {
    const tables = [{ ...article, array_relationships: [relationship] }, author];
    expect(reasonsOf(analysisOf({ tables }))).toEqual([reason]);
  });

  it("A manual relationship to a native query is consistent and not a table relationship", () => {
    const using = { manual_configuration: { remote_native_query: "q", column_mapping: { id: "id" } } };
    const tables = [{ ...article, array_relationships: [{ name: "q", using }] }];
    const returns = { fields: [{ name: "id", type: "integer" }] };
    const native_queries = [{ root_field_name: "q", code: "select 1 id", returns }];
    const analysis = analysisOf(parsed({ version: 3, sources: [sourceOf("default", tables, { native_queries })] }));
    expect(reasonsOf(analysis)).toEqual([]);
    expect(tableIn(analysis, "public.article").relationships.size).toBe(0);
  });
});

it("A relationship name that is not a valid GraphQL name is refused", () => {
  const tables = [{ ...article, object_relationships: [{ ...toAuthor, name: "the author" }] }, author];
  expect(reasonsOf(analysisOf({ tables }))).toEqual([
    'in table "article": in relationship "the author": cannot include "the author" in the GraphQL schema because  it is not a valid GraphQL identifier',
  ]);
});

describe("Names of relationship fields", () => {
  it("A relationship may not have the name of a column", () => {
    const tables = [{ ...article, object_relationships: [{ ...toAuthor, name: "title" }] }, author];
    expect(reasonsOf(analysisOf({ tables }))).toEqual(["field definition conflicts with postgres column"]);
  });

  it("A relationship may not have the custom name of a column", () => {
    const configuration = { column_config: { title: { custom_name: "author" } } };
    const tables = [{ ...article, configuration, object_relationships: [toAuthor] }, author];
    expect(reasonsOf(analysisOf({ tables }))).toEqual([
      'field definition conflicts with custom field name for postgres column "title"',
    ]);
  });

  const fullName = functionShape("full_name", { arguments: [argument("row", rowType("public", "article"))] });

  it("A relationship and a computed field may not share a name", () => {
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

  it("An object and an array relationship may not share a name", () => {
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

describe("Manual relationships between different column types", () => {
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
  ])("A relationship between types without equality is refused: %s and %s", (own, other) => {
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
  ])("A relationship between implicitly convertible types is accepted: %s and %s", (own, other) => {
    expect(withTypes(own, other)).toEqual([]);
  });

  it("A relationship is accepted if the database has custom casts or operators for its types", () => {
    expect(withTypes("text", "uuid", { converted: ["text", "uuid"] })).toEqual([]);
    expect(withTypes("text", "int4", { converted: ["uuid"] })).toHaveLength(1);
  });
});
