import { describe, expect, it } from "vitest";
import { cannotDropMessage, dependentsOf } from "../../../compiler/2-analyze/dependencies.ts";
import { inconsistencyEntry } from "../../../compiler/2-analyze/inconsistency.ts";
import type { NativeQueryCheck } from "../../../compiler/shape/native-query.ts";
import { analysisOf, failureOf, library, parsed, reasonsOf, sourceIn, sourceOf } from "./sample.ts";

interface Native {
  readonly models?: readonly object[];
  readonly queries?: readonly object[];
  readonly tables?: readonly object[];
  readonly checks?: ReadonlyMap<string, NativeQueryCheck>;
}

function catalogOf({ models = [], queries = [], tables = [{ table: "author" }] }: Native) {
  const native = { logical_models: models, native_queries: queries };
  return parsed({ version: 3, sources: [sourceOf("default", tables, native)] });
}

function analyzed(given: Native) {
  const introspection = { shape: library, ...(given.checks && { nativeQueries: given.checks }) };
  return analysisOf(catalogOf(given), { introspections: new Map([["default", introspection]]) });
}

const person = {
  name: "person",
  fields: [
    { name: "id", type: { scalar: "integer" } },
    { name: "name", type: { scalar: "text", nullable: true } },
    { name: "tags", type: { array: { scalar: "text" } } },
    { name: "friends", type: { array: { logical_model: "person" } } },
  ],
};
const people = {
  root_field_name: "people",
  code: "select * from author where age > {{age}}",
  arguments: { age: { type: "integer" } },
  returns: "person",
};

describe("Logical models", () => {
  it("A logical model has its fields as columns and its nested models as JSON", () => {
    const analysis = analyzed({ models: [person] });
    expect(reasonsOf(analysis)).toEqual([]);
    const model = sourceIn(analysis).logicalModels.get("person");
    expect(model?.columns.map(({ name, shape }) => [name, shape.type.name, shape.nullable])).toEqual([
      ["id", "int4", false],
      ["name", "text", true],
      ["tags", "_text", false],
      ["friends", "jsonb", false],
    ]);
    expect(model?.columns.at(-1)?.model).toEqual({ name: "person", list: true });
  });

  it("A logical model is inconsistent if a model that it refers to is missing, directly or indirectly", () => {
    const field = (logical_model: string) => [{ name: "f", type: { array: { logical_model } } }];
    const models = [{ name: "a", fields: field("b") }, { name: "b", fields: field("none") }, person];
    const analysis = analyzed({ models });
    expect(analysis.inconsistencies.map(inconsistencyEntry)).toMatchObject([
      {
        type: "logical_model",
        name: "logical_model b in source default",
        reason: 'Inconsistent object: logical model "none" is not tracked',
      },
      { name: "logical_model a in source default", reason: 'Inconsistent object: logical model "b" is not tracked' },
    ]);
    expect([...sourceIn(analysis).logicalModels.keys()]).toEqual(["person"]);
  });

  it("The permissions of a logical model are bound to its fields", () => {
    const permission = { columns: ["id"], filter: { name: { _eq: "x-engine-user-id" } } };
    const models = [{ ...person, select_permissions: [{ role: "u", permission }] }];
    const analysis = analyzed({ models });
    expect(reasonsOf(analysis)).toEqual([]);
    expect(analysis.roles).toEqual(["u"]);
    expect(sourceIn(analysis).logicalModels.get("person")?.select.get("u")).toMatchObject({
      columns: [{ name: "id" }],
      filter: { kind: "compare", column: { name: "name" }, operator: "_eq" },
    });
  });

  it.each<[object, string]>([
    [{ columns: ["none"], filter: {} }, '"none" does not exist'],
    [{ columns: "*", filter: { none: { _eq: 1 } } }, '"none" does not exist'],
    [{ columns: "*", filter: { id: { _like: "x" } } }, ""],
    [
      { columns: "*", filter: { _exists: { _table: "none", _where: {} } } },
      'table "none" does not exist in source: default',
    ],
  ])("The permission %j of a logical model is inconsistent", (permission, reason) => {
    const models = [{ ...person, select_permissions: [{ role: "u", permission }] }];
    const { inconsistencies } = analyzed({ models });
    expect(inconsistencies.map(inconsistencyEntry)).toMatchObject([
      { type: "select_permission", name: "select_permission u in logical_model person in source default" },
    ]);
    const place = 'Inconsistent object: in logical model "person": in permission for role "u": ';
    expect(inconsistencies[0]?.reason.startsWith(`${place}${reason}`)).toBe(true);
  });
});

describe("Native queries", () => {
  it("A native query is bound to a shared model or to one of its own", () => {
    const own = { ...people, root_field_name: "own", returns: { fields: [{ name: "id", type: "bigint" }] } };
    const analysis = analyzed({ models: [person], queries: [people, own] });
    expect(reasonsOf(analysis)).toEqual([]);
    const { nativeQueries, logicalModels } = sourceIn(analysis);
    expect(nativeQueries.get("people")?.model).toBe(logicalModels.get("person"));
    expect(nativeQueries.get("own")?.model.columns.map(({ shape }) => shape.type.name)).toEqual(["int8"]);
  });

  const related = (using: object) => ({ ...people, object_relationships: [{ name: "r", using }] });
  it.each<[object, string]>([
    [{ ...people, returns: "none" }, "The logical model none could not be found"],
    [
      { ...people, returns: { fields: [{ name: "f", type: { logical_model: "none" } }] } },
      'logical model "none" is not tracked',
    ],
    [
      { ...people, arguments: {} },
      "The following columns are used in the query, but are not declared as arguments: age",
    ],
    [
      { ...people, arguments: { age: { type: "integer" }, z: { type: "text" }, b: { type: "text" } } },
      "The following columns are declared as arguments, but are not used in the query: b, z",
    ],
    [
      {
        ...people,
        object_relationships: [{ name: "r", using: { remote_table: "author", column_mapping: {} } }],
        array_relationships: [{ name: "r", using: { remote_table: "author", column_mapping: {} } }],
      },
      "The native query 'people' has duplicate relationships: r",
    ],
    [related({ remote_table: "none", column_mapping: {} }), 'table "none" is not tracked'],
    [related({ remote_native_query: "none", column_mapping: {} }), 'native query "none" is not tracked'],
    [related({ remote_table: "author", column_mapping: { none: "id" } }), '"none" does not exist'],
    [related({ remote_table: "author", column_mapping: { id: "none" } }), '"none" does not exist'],
    [
      related({ remote_table: "author", column_mapping: { id: "name" } }),
      'the columns cannot be compared: field "id" of native query "people" has type "integer", column "name" of table "author" ' +
        'has type "text"; map columns of types that the database compares by "="',
    ],
  ])("The native query %j is inconsistent", (query, reason) => {
    const analysis = analyzed({ models: [person], queries: [query] });
    expect(reasonsOf(analysis)).toEqual([reason]);
    expect(sourceIn(analysis).nativeQueries.size).toBe(0);
  });

  it("A native query is inconsistent if the query that it refers to is", () => {
    const first = { ...related({ remote_native_query: "second", column_mapping: {} }), root_field_name: "first" };
    const second = { ...people, root_field_name: "second", returns: "none" };
    expect(reasonsOf(analyzed({ models: [person], queries: [first, second] }))).toEqual([
      "The logical model none could not be found",
      'native query "second" is not tracked',
    ]);
  });

  const checked = (check: NativeQueryCheck) =>
    analyzed({ models: [person], queries: [people], checks: new Map([["people", check]]) });
  // Nested models are columns of type `json` or `jsonb`, or of a row type.
  const columns = new Map([
    ...Object.entries({ id: "integer", name: "text", tags: "text[]" }).map(
      ([name, type]) => [name, { type, expected: type }] as const,
    ),
    ["friends", { type: "json", expected: "jsonb" }] as const,
  ]);

  it("A native query is consistent if the database returns the columns of its model", () => {
    expect(reasonsOf(checked({ columns }))).toEqual([]);
  });

  it.each<[NativeQueryCheck, string]>([
    [{ error: { message: "no", internal: { code: "42P01" } } }, "Failed to validate query"],
    [
      { columns: new Map([...columns].filter(([name]) => name !== "friends")) },
      "Column named 'friends' is not returned from the query.",
    ],
    [{ columns: new Map() }, "Column named 'id' is not returned from the query."],
    [
      { columns: new Map([...columns, ["name", { type: "integer", expected: "text" }]]) },
      "Return column 'name' has a type mismatch. The expected type is 'text', but the actual type is 'integer'.",
    ],
  ])("A native query is inconsistent if the database reports %j", (check, reason) => {
    const analysis = checked(check);
    expect(reasonsOf(analysis)).toEqual([reason]);
    if ("error" in check) expect(analysis.inconsistencies[0]?.message).toEqual({ code: "42P01" });
  });

  it("A native query may not take the root field of a table", () => {
    const catalog = catalogOf({ models: [person], queries: [{ ...people, root_field_name: "author" }] });
    expect(failureOf(catalog)?.message).toContain(
      "for 'query_root' for field 'author' defined in [native query author in source default, table author in source default]",
    );
  });
});

describe("Relationships from tables to native queries", () => {
  const relating = (column_mapping: object, remote_native_query = "people") => [
    {
      table: "author",
      array_relationships: [{ name: "r", using: { manual_configuration: { remote_native_query, column_mapping } } }],
    },
  ];

  it.each<[readonly object[], string]>([
    [relating({ id: "id" }, "none"), 'native query "none" is not tracked'],
    [relating({ none: "id" }), 'table "author" has no field named "none"'],
    [relating({ id: "none" }), 'in table "author": in relationship "r": "none" does not exist'],
    [
      relating({ name: "id" }),
      'in table "author": in relationship "r": the columns cannot be compared: column "name" of table "author" has type "text", ' +
        'field "id" of native query "people" has type "integer"; map columns of types that the database compares by "="',
    ],
  ])("The relationship %j to a native query is inconsistent", (tables, reason) => {
    expect(reasonsOf(analyzed({ models: [person], queries: [people], tables }))).toEqual([reason]);
  });

  it("A relationship depends on its native query, and the native query on its model", () => {
    const analysis = analyzed({ models: [person], queries: [people], tables: relating({ id: "id" }) });
    expect(reasonsOf(analysis)).toEqual([]);
    const model = { kind: "logical_model", source: "default", name: "person" } as const;
    expect(cannotDropMessage(dependentsOf(analysis, [model]), analysis.catalog)).toBe(
      'cannot drop due to the following dependent objects: native query people in source "default", relationship author.r in source "default"',
    );
  });
});
