import { describe, expect, it } from "vitest";
import { cannotDropMessage, dependentsOf } from "../../../compiler/2-analyze/dependencies.ts";
import { inconsistencyEntry } from "../../../compiler/2-analyze/inconsistency.ts";
import { objectKey } from "../../../compiler/2-analyze/object-id.ts";
import {
  analysisOf,
  argument,
  functionShape,
  library,
  parsed,
  reasonsOf,
  rowType,
  type Setting,
  shape,
  sourceOf,
  table,
} from "./sample.ts";

const remarks = shape([
  table("remark", { columns: { id: "int4!", article: "int4", mood: "text" }, primaryKey: ["id"] }),
  table("mood", {
    columns: { value: "text!" },
    primaryKey: ["value"],
    enumValues: [{ value: "calm", comment: null }],
  }),
]);

const fullName = functionShape("full_name", {
  arguments: [argument("author_row", rowType("public", "author"))],
});
const greeting = functionShape("greeting", {
  arguments: [argument("author_row", rowType("public", "author")), argument("word", "text")],
});

function setting(): Setting {
  return {
    introspections: new Map([
      ["default", { shape: { ...library, functions: [fullName, greeting] } }],
      ["other", { shape: remarks }],
    ]),
  };
}

const computed_fields = [
  { name: "full_name", definition: { function: "full_name" } },
  { name: "greeting", definition: { function: "greeting" } },
];

/**
 * Analyzes the table author with these relationships, the table article, remarks in another source, and a remote
 * schema.
 */
function analyzed(relationships: Readonly<Record<string, object>>, more: object = {}) {
  const remote_relationships = Object.entries(relationships).map(([name, definition]) => ({ name, definition }));
  const tables = [{ table: "author", computed_fields, remote_relationships }, { table: "article" }];
  const catalog = parsed({
    version: 3,
    sources: [sourceOf("default", tables), sourceOf("other", [{ table: "remark" }])],
    remote_schemas: [{ name: "users", definition: { url: "http://users" } }],
    ...more,
  });
  return analysisOf(catalog, setting());
}

const toRemarks = {
  to_source: {
    relationship_type: "array",
    source: "other",
    table: "remark",
    field_mapping: { id: "article" },
  },
};
const toUsers = {
  to_remote_schema: {
    remote_schema: "users",
    lhs_fields: ["id", "full_name"],
    remote_field: { user: { arguments: { id: "$id", filter: { name: ["$full_name"] } } } },
  },
};

const idOf = (name: string) =>
  objectKey({ kind: "remote_relationship", source: "default", table: { schema: "public", name: "author" }, name });

describe("Remote relationships of tables", () => {
  it("A remote relationship to another source is bound", () => {
    const analysis = analyzed({ remarks: toRemarks });
    expect(reasonsOf(analysis)).toEqual([]);
    expect(analysis.remoteRelationships.get(idOf("remarks"))).toMatchObject({
      kind: "source",
      relationship: "array",
      source: "other",
      table: "public.remark",
      mapping: [{ field: "id", column: "article" }],
    });
  });

  it.each([
    ["new", toUsers],
    ["older", { remote_schema: "users", engine_fields: ["id"], remote_field: { user: { arguments: { id: "$id" } } } }],
  ])("A remote relationship to a remote schema is accepted in the %s form", (_, definition) => {
    const analysis = analyzed({ user: definition });
    expect(reasonsOf(analysis)).toEqual([]);
    expect(analysis.remoteRelationships.get(idOf("user"))).toMatchObject({
      kind: "remote_schema",
      remoteSchema: "users",
    });
  });

  const to = (changes: object) => ({ to_source: { ...toRemarks.to_source, ...changes } });
  const call = (changes: object) => ({ to_remote_schema: { ...toUsers.to_remote_schema, ...changes } });
  const withArguments = (args: object) => call({ remote_field: { user: { arguments: args } } });
  it.each<[object, string]>([
    [to({ source: "none" }), 'source not found: "none"'],
    [to({ table: "none" }), 'table "none" does not exist in source: other'],
    [to({ table: { schema: "shop", name: "none" } }), 'table "shop.none" does not exist in source: other'],
    [to({ field_mapping: { none: "article" } }), '"none" does not exist'],
    [to({ field_mapping: { id: "none" } }), '"none" does not exist'],
    [call({ remote_schema: "none" }), 'remote schema with name "none" not found'],
    [
      call({ lhs_fields: ["greeting"] }),
      'field with name "greeting"is not provided by the lhs entity"author"for defining a join condition, the allowed fields are "age", "code", "full_name", "id", "initials", "joined", or "name"',
    ],
    [withArguments({ id: "$age" }), 'variable "age" is not found'],
    [withArguments({ id: null }), "null is not allowed here"],
    [withArguments({ id: { of: ["$id", "$id"] } }), "multiple elements in list value is not supported"],
    [
      call({ remote_field: { user: { arguments: {}, field: { posts: { arguments: { id: "$x" } } } } } }),
      'variable "x" is not found',
    ],
  ])("The remote relationship %j is inconsistent", (definition, reason) => {
    const analysis = analyzed({ r: definition });
    expect(reasonsOf(analysis)).toEqual([`in table "author": in remote relationship "r": ${reason}`]);
    expect(analysis.remoteRelationships.size).toBe(0);
  });

  it("A remote relationship may not use a column with values of an enum table", () => {
    const withEnum = shape([
      table("remark", {
        columns: { id: "int4!", mood: "text" },
        foreignKeys: [
          { columns: ["mood"], foreignTable: { schema: "public", name: "mood" }, foreignColumns: ["value"] },
        ],
      }),
      table("mood", {
        columns: { value: "text!" },
        primaryKey: ["value"],
        enumValues: [{ value: "calm", comment: null }],
      }),
    ]);
    const definition = to({ field_mapping: { name: "mood" } });
    const remote_relationships = [{ name: "r", definition }];
    const catalog = parsed({
      version: 3,
      sources: [
        sourceOf("default", [{ table: "author", remote_relationships }]),
        sourceOf("other", [{ table: "remark" }, { table: "mood", is_enum: true }]),
      ],
    });
    const introspections = new Map([
      ["default", { shape: library }],
      ["other", { shape: withEnum }],
    ]);
    expect(reasonsOf(analysisOf(catalog, { introspections }))).toEqual([
      'in table "author": in remote relationship "r": relationships to enum fields are not supported yet',
    ]);
  });

  it("An inconsistent remote relationship is reported as declared", () => {
    const definition = to({ source: "none" });
    expect(analyzed({ r: definition }).inconsistencies.map(inconsistencyEntry)).toEqual([
      {
        type: "remote_relationship",
        name: "remote_relationship r in table author in source default",
        reason: 'Inconsistent object: in table "author": in remote relationship "r": source not found: "none"',
        definition: { name: "r", definition, source: "default", table: { schema: "public", name: "author" } },
      },
    ]);
  });

  it("A remote relationship may not have the name of a column or another field", () => {
    expect(reasonsOf(analyzed({ age: toRemarks }))).toEqual(["field definition conflicts with postgres column"]);
    expect(analyzed({ full_name: toRemarks }).inconsistencies.map(({ reason }) => reason)).toEqual([
      'Conflicting objects: conflicting definitions for field "full_name"',
    ]);
    expect(reasonsOf(analyzed({ "a b": toRemarks }))[0]).toMatch(/^in table "author": in remote relationship "a b": /);
  });
});

describe("Dependents of remote relationship targets", () => {
  const column = (source: string, name: string, columnName: string) =>
    ({ kind: "column", source, table: { schema: "public", name }, column: columnName }) as const;

  it.each([
    ["a column of its own table", column("default", "author", "id")],
    ["a column of the other source", column("other", "remark", "article")],
    ["the other source", { kind: "source", source: "other" } as const],
    ["the other table", { kind: "table", source: "other", table: { schema: "public", name: "remark" } } as const],
  ])("A remote relationship depends on %s", (_, id) => {
    const analysis = analyzed({ remarks: toRemarks });
    expect(cannotDropMessage(dependentsOf(analysis, [id]), analysis.catalog)).toBe(
      'cannot drop due to the following dependent objects: remote relationship author.remarks in source "default"',
    );
  });

  it("A remote relationship depends on its remote schema and on the computed field that it joins by", () => {
    const analysis = analyzed({ user: toUsers });
    const relationship = { kind: "remote_relationship", source: "default", name: "user" };
    expect(dependentsOf(analysis, [{ kind: "remote_schema", name: "users" }])).toMatchObject([relationship]);
    const table = { schema: "public", name: "author" };
    const field = { kind: "computed_field", source: "default", table, name: "full_name" } as const;
    expect(dependentsOf(analysis, [field])).toMatchObject([relationship]);
  });
});

describe("Remote relationships of remote types", () => {
  const withType = (definition: object) =>
    analyzed(
      {},
      {
        remote_schemas: [
          {
            name: "users",
            definition: { url: "http://users" },
            remote_relationships: [{ type_name: "User", relationships: [{ name: "r", definition }] }],
          },
        ],
      },
    );
  const key = objectKey({ kind: "remote_schema_relationship", name: "users", type: "User", relationship: "r" });

  it("A remote relationship from a remote type to a source is bound without checking the fields of the type", () => {
    const definition = { to_source: { ...toRemarks.to_source, field_mapping: { whatever: "article" } } };
    const analysis = withType(definition);
    expect(reasonsOf(analysis)).toEqual([]);
    expect(analysis.remoteRelationships.get(key)).toMatchObject({ kind: "source", table: "public.remark" });
    const table = { kind: "table", source: "other", table: { schema: "public", name: "remark" } } as const;
    expect(cannotDropMessage(dependentsOf(analysis, [table]), analysis.catalog)).toBe(
      "cannot drop due to the following dependent objects: remote_relationship r on type User in remote schema users",
    );
  });

  it("A remote relationship from a remote type to an unknown source is inconsistent", () => {
    const analysis = withType({ to_source: { ...toRemarks.to_source, source: "none" } });
    expect(analysis.inconsistencies.map(inconsistencyEntry)).toMatchObject([
      {
        type: "remote_schema_remote_relationship",
        name: "remote_schema_remote_relationship remote_relationship r on type User in remote schema users",
        reason:
          'Inconsistent object: in remote schema "users": in type "User": in remote relationship "r": source not found: "none"',
      },
    ]);
  });
});
