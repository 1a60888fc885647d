import { describe, expect, it } from "vitest";
import { inconsistencyEntry } from "../../../compiler/2-analyze/inconsistency.ts";
import type { TableShape } from "../../../compiler/shape/shape.ts";
import { analysisOf, catalogOf, library, reasonsOf, shape, sourceIn, table, tableIn } from "./sample.ts";

describe("Tracked tables", () => {
  it("A tracked table has the columns, key and names of the database", () => {
    const author = tableIn(analysisOf({ tables: [{ table: "author" }] }), "public.author");
    expect(author).toMatchObject({
      source: "default",
      displayName: "author",
      graphqlName: "author",
      description: 'columns and relationships of "author"',
    });
    expect(author.columns.map(({ name, field }) => [name, field])).toEqual(
      ["id", "name", "age", "joined", "code", "initials"].map((name) => [name, name]),
    );
    expect(author.primaryKey.map(({ name }) => name)).toEqual(["id"]);
    expect(author.rootFields?.update_by_pk).toEqual({ name: "update_author_by_pk", comment: undefined });
  });

  it("A tracked table of another schema includes the schema in its names", () => {
    const other = shape([table("t", { schema: "shop", columns: { id: "int4" } })]);
    const analysis = analysisOf({ tables: [{ table: { schema: "shop", name: "t" } }] }, { shape: other });
    expect(tableIn(analysis, "shop.t")).toMatchObject({
      displayName: "shop.t",
      graphqlName: "shop_t",
      description: 'columns and relationships of "shop.t"',
    });
  });

  it("A tracked table takes names and comments from its configuration, or else from the database", () => {
    const commented = shape([
      table("t", {
        comment: "of the database",
        columns: { id: { type: "int4", comment: "key" }, a: { type: "text", comment: "letter" }, b: "text" },
      }),
    ]);
    const configuration = {
      custom_name: "thing",
      custom_root_fields: {
        select: "things",
        insert: { name: "add_things", comment: "adds" },
        delete: { comment: "" },
      },
      column_config: { a: { custom_name: "letter", comment: "" }, b: { comment: "second" } },
    };
    const found = tableIn(analysisOf({ tables: [{ table: "t", configuration }] }, { shape: commented }), "public.t");
    expect(found).toMatchObject({ graphqlName: "thing", description: "of the database" });
    expect(found.columns.map(({ field, description }) => [field, description])).toEqual([
      ["id", "key"],
      ["letter", undefined],
      ["b", "second"],
    ]);
    expect(found.rootFields).toMatchObject({
      select: { name: "things", comment: undefined },
      select_by_pk: { name: "thing_by_pk", comment: undefined },
      insert: { name: "add_things", comment: "adds" },
      delete: { name: "delete_thing", comment: "" },
    });
  });

  it.each([
    ["no configuration", {}, "of the database"],
    ["a text", { comment: "mine" }, "mine"],
    ["an empty comment", { comment: "" }, undefined],
  ])(
    "The description of a table is that of its configuration or of the database: %s",
    (_, configuration, description) => {
      const commented = shape([table("t", { comment: "of the database", columns: { id: "int4" } })]);
      const analysis = analysisOf({ tables: [{ table: "t", configuration }] }, { shape: commented });
      expect(tableIn(analysis, "public.t").description).toBe(description);
    },
  );

  it("A tracked table without a valid GraphQL name stays tracked and may be given a custom name", () => {
    const odd = shape([table("odd name", { columns: { "a b": "text", c: "text" } })]);
    const tracked = { table: "odd name" };
    const bare = tableIn(analysisOf({ tables: [tracked] }, { shape: odd }), "public.odd name");
    expect(bare).toMatchObject({ graphqlName: null, rootFields: null });
    expect(bare.columns.map(({ field }) => field)).toEqual([null, "c"]);
    const named = { ...tracked, configuration: { custom_name: "odd" } };
    expect(tableIn(analysisOf({ tables: [named] }, { shape: odd }), "public.odd name").graphqlName).toBe("odd");
  });
});

describe("Inconsistent tables", () => {
  it("A tracked table that the database lacks is inconsistent", () => {
    const analysis = analysisOf({ tables: [{ table: "autor" }, { table: "author" }] });
    expect(analysis.inconsistencies.map(inconsistencyEntry)).toEqual([
      {
        definition: { schema: "public", name: "autor" },
        name: "table autor in source default",
        reason: 'Inconsistent object: no such table/view exists in source: "autor"',
        type: "table",
      },
    ]);
    expect(analysis.inconsistencies[0]?.hint).toBe('did you mean "author"?');
    expect([...sourceIn(analysis).tables.keys()]).toEqual(["public.author"]);
  });

  it("The objects of an inconsistent table are omitted without their own entries", () => {
    const tables = [
      {
        table: "none",
        object_relationships: [{ name: "r", using: { foreign_key_constraint_on: "x" } }],
        select_permissions: [{ role: "u", permission: { columns: "*", filter: {} } }],
      },
    ];
    expect(reasonsOf(analysisOf({ tables }))).toEqual(['no such table/view exists in source: "none"']);
  });

  it("Entries of dependents name the inconsistent table and follow its entry", () => {
    const relation = (name: string) => ({ name, using: { manual_configuration: manual } });
    const manual = { remote_table: "none", column_mapping: { id: "id" } };
    const permission = { columns: "*", filter: { r: { id: 1 } } };
    const select_permissions = ["u", "v"].map((role) => ({ role, permission }));
    const tables = [
      { table: "article", array_relationships: [relation("r")], select_permissions },
      { table: "author", select_permissions: [{ role: "u", permission: { columns: ["nme"], filter: {} } }] },
      { table: "none" },
    ];
    const { inconsistencies } = analysisOf({ tables });
    const cause = "table none in source default";
    expect(inconsistencies.map(({ name, causedBy }) => [name, causedBy])).toEqual([
      [cause, undefined],
      ["array_relation r in table article in source default", cause],
      ["select_permission u in table article in source default", cause],
      ["select_permission v in table article in source default", cause],
      ["select_permission u in table author in source default", undefined],
    ]);
  });

  it("A table declared twice is inconsistent", () => {
    const catalog = catalogOf({ tables: [{ table: "author" }] });
    const sources = catalog.sources.map((source) => ({ ...source, tables: [...source.tables, ...source.tables] }));
    const analysis = analysisOf({ ...catalog, sources });
    expect(reasonsOf(analysis)).toEqual(["duplication definition for table"]);
    expect(sourceIn(analysis).tables.size).toBe(0);
  });

  it("A table with columns from a logical model is inconsistent", () => {
    const analysis = analysisOf({ tables: [{ table: "author", logical_model: "m" }] });
    expect(reasonsOf(analysis)).toEqual(['The source "default" does not support schemaless tables']);
  });

  it.each([
    [
      { column_config: { nme: { custom_name: "x" } } },
      'configuration was given for the column "nme", but no such column exists',
    ],
    [
      { column_config: { name: { custom_name: "x" }, age: { custom_name: "x" } } },
      'the definitions of columns "age" and "name" are in conflict: they are mapped to the same field name, "x"',
    ],
    [
      { column_config: { name: { custom_name: "age" } } },
      'the definitions of columns "age" and "name" are in conflict: they are mapped to the same field name, "age"',
    ],
    [
      { column_config: { name: { json: true } } },
      'the column "name" is declared as JSON, which postgres does not support: use a column of type jsonb or json',
    ],
  ])("A table with an unsuitable configuration is inconsistent: %j", (configuration, reason) => {
    expect(reasonsOf(analysisOf({ tables: [{ table: "author", configuration }] }))).toEqual([reason]);
  });

  it.each([
    ["custom_name", { custom_name: "a b" }],
    ["custom root field", { custom_root_fields: { select: "a b" } }],
    ["custom column name", { column_config: { id: { custom_name: "a b" } } }],
  ])("A table with a %s that is not a valid GraphQL name is inconsistent", (_, configuration) => {
    const catalog = catalogOf({ tables: [{ table: "author" }] });
    const sources = catalog.sources.map((source) => ({
      ...source,
      tables: source.tables.map((tracked) => ({ ...tracked, configuration })),
    }));
    expect(reasonsOf(analysisOf({ ...catalog, sources }))).toEqual([
      'cannot include "a b" in the GraphQL schema because  it is not a valid GraphQL identifier',
    ]);
  });
});

describe("Enum tables", () => {
  const colors = {
    columns: { value: "text!", comment: "text" },
    primaryKey: ["value"],
    enumValues: [{ value: "red", comment: null }],
  } as const;
  const reasonsFor = (input: TableShape): readonly string[] =>
    reasonsOf(analysisOf({ tables: [{ table: input.name, is_enum: true }] }, { shape: shape([input]) }));
  const because = (text: string): string => `the table "colors" cannot be used as an enum because ${text}`;

  it("An enum table has a text key with valid names and at most one comment column", () => {
    expect(reasonsFor(table("colors", colors))).toEqual([]);
    expect(reasonsFor(table("colors", { ...colors, columns: { value: "text!" } }))).toEqual([]);
  });

  it.each<[string, Parameters<typeof table>[1], string]>([
    ["no key", { columns: { value: "text" } }, "the table must have a primary key"],
    [
      "composite key",
      { columns: { b: "text!", a: "text!" }, primaryKey: ["b", "a"] },
      "the table’s primary key must not span multiple columns (a, b)",
    ],
    [
      "key of another type",
      { columns: { id: "int4!" }, primaryKey: ["id"] },
      'the table’s primary key ("id") must have type "text", not type "integer"',
    ],
    [
      "comment of another type",
      { ...colors, columns: { value: "text!", c: "int4" } },
      'the table’s comment column ("c") must have type "text", not type "integer"',
    ],
    [
      "more columns",
      { ...colors, columns: { value: "text!", d: "text", c: "text", b: "text" } },
      "the table must have exactly one primary key and optionally one comment column, not 4 columns (b, c, d, value)",
    ],
    ["no rows", { ...colors, enumValues: [] }, "the table must have at least one row"],
    [
      "a value that is not a valid name",
      { ...colors, enumValues: [{ value: "x y", comment: null }] },
      'the value "x y" is not a valid GraphQL enum value name',
    ],
    [
      "several invalid values",
      { ...colors, enumValues: ["a-b", "ok", "c-d", "true"].map((value) => ({ value, comment: null })) },
      'the values "a-b", "c-d", and "true" are not valid GraphQL enum value names',
    ],
  ])("A table cannot be an enum table: %s", (_, input, text) => {
    expect(reasonsFor(table("colors", input))).toEqual([because(text)]);
  });

  it("An inconsistent enum table lists all its reasons", () => {
    const input = table("colors", { columns: { id: "int4!", a: "text", b: "text" }, primaryKey: ["id"] });
    expect(reasonsFor(input)).toEqual([
      'the table "colors" cannot be used as an enum for the following reasons:\n' +
        '  • the table’s primary key ("id") must have type "text", not type "integer"\n' +
        "  • the table must have exactly one primary key and optionally one comment column, not 3 columns (a, b, id)\n",
    ]);
  });

  const refersTo = (...targets: readonly string[]) =>
    targets.map((name) => ({
      columns: ["color"],
      foreignTable: { schema: "public", name },
      foreignColumns: ["value"],
    }));

  it("A column that references an enum table has its enum type", () => {
    const cars = table("car", { columns: { id: "int4!", color: "text" }, foreignKeys: refersTo("colors") });
    const tables = [{ table: "car" }, { table: "colors", is_enum: true }];
    const analysis = analysisOf({ tables }, { shape: shape([cars, table("colors", colors)]) });
    const enumTables = tableIn(analysis, "public.car").columns.map(({ enumTable }) => enumTable);
    expect(enumTables).toEqual([undefined, "public.colors"]);
  });

  it("A column may reference only one enum table", () => {
    const cars = table("car", { columns: { color: "text" }, foreignKeys: refersTo("paints", "colors") });
    const database = shape([cars, table("colors", colors), table("paints", colors)]);
    const tables = ["car", "colors", "paints"].map((name) => ({ table: name, is_enum: name !== "car" }));
    expect(reasonsOf(analysisOf({ tables }, { shape: database }))).toEqual([
      'column "color" in table "car" references multiple enum tables ("colors", "paints")',
    ]);
  });

  it("Columns that reference an inconsistent enum table do not have its type", () => {
    const cars = table("car", { columns: { color: "text" }, foreignKeys: refersTo("colors") });
    const clashing = { column_config: { comment: { custom_name: "value" } } };
    const tables = [{ table: "car" }, { table: "colors", is_enum: true, configuration: clashing }];
    const analysis = analysisOf({ tables }, { shape: shape([cars, table("colors", colors)]) });
    expect(analysis.inconsistencies.map(({ name }) => name)).toEqual(["table colors in source default"]);
    expect(tableIn(analysis, "public.car").columns[0]?.enumTable).toBeUndefined();
  });
});

it("Tables are ordered by schema and name", () => {
  const tables = [{ table: "author" }, { table: "article" }];
  expect([...sourceIn(analysisOf({ tables }, { shape: library })).tables.keys()]).toEqual([
    "public.article",
    "public.author",
  ]);
});
