import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cannotDropMessage, dependentsOf, describeObject } from "../../../compiler/2-analyze/dependencies.ts";
import { type ObjectId, objectKey } from "../../../compiler/2-analyze/object-id.ts";
import { analysisOf, argument, catalogOf, functionShape, library, parsed, rowType, sourceOf } from "./sample.ts";

const name = (table: string) => ({ schema: "public", name: table });
const inTable = (table: string) => ({ source: "default", table: name(table) });
const search = functionShape("search", {
  returns: rowType("public", "article"),
  returnsTable: { schema: "public", name: "article" },
});
const articlesOf = functionShape("articles_of", {
  arguments: [argument("r", rowType("public", "author"))],
  returns: rowType("public", "article"),
  returnsTable: { schema: "public", name: "article" },
});

const analysis = analysisOf(
  {
    tables: [
      {
        table: "article",
        object_relationships: [{ name: "author", using: { foreign_key_constraint_on: "author_id" } }],
        select_permissions: [
          { role: "user", permission: { columns: ["title"], filter: { author: { name: "X-Engine-Name" } } } },
          { role: "all", permission: { columns: "*", filter: {} } },
        ],
        event_triggers: [
          {
            name: "t",
            webhook: "http://x",
            retry_conf: { num_retries: 0, interval_sec: 1 },
            definition: { update: { columns: ["pages"], payload: "*" } },
          },
        ],
      },
      {
        table: "author",
        array_relationships: [
          { name: "articles", using: { foreign_key_constraint_on: { table: "article", column: "author_id" } } },
          {
            name: "edited",
            using: { manual_configuration: { remote_table: "article", column_mapping: { id: "editor_id" } } },
          },
        ],
        computed_fields: [{ name: "written", definition: { function: "articles_of" } }],
        insert_permissions: [{ role: "user", permission: { check: {}, columns: [], set: { age: 5 } } }],
        update_permissions: [
          {
            role: "user",
            permission: { columns: [], filter: { _exists: { _table: "article", _where: {} } }, set: {} },
          },
        ],
      },
    ],
    functions: [{ function: "search" }],
    inherited_roles: [
      { role_name: "a", role_set: ["user"] },
      { role_name: "b", role_set: ["a"] },
    ],
  },
  { shape: { ...library, functions: [search, articlesOf] } },
);

const dependents = (id: ObjectId) => dependentsOf(analysis, [id]).map((each) => describeObject(each, analysis.catalog));
const inDefault = (...texts: readonly string[]) => texts.map((text) => `${text} in source "default"`);

describe("Dependents of objects", () => {
  it.each<[string, ObjectId, readonly string[]]>([
    [
      "of a foreign key: relationships on both sides and their users",
      { kind: "foreign_key", constraint: "article_author_id_fkey", ...inTable("article") },
      inDefault("permission article.user.select", "relationship article.author", "relationship author.articles"),
    ],
    [
      "of a listed column",
      { kind: "column", column: "title", ...inTable("article") },
      inDefault("permission article.user.select"),
    ],
    [
      "of a column in a filter",
      { kind: "column", column: "name", ...inTable("author") },
      inDefault("permission article.user.select"),
    ],
    [
      "of a preset column",
      { kind: "column", column: "age", ...inTable("author") },
      inDefault("permission author.user.insert"),
    ],
    [
      "of a column of a trigger",
      { kind: "column", column: "pages", ...inTable("article") },
      inDefault("event-trigger article.t"),
    ],
    [
      "of a column in a manual relationship",
      { kind: "column", column: "editor_id", ...inTable("article") },
      inDefault("relationship author.edited"),
    ],
    ["of an unused column", { kind: "column", column: "tags", ...inTable("article") }, []],
    [
      "of a relationship",
      { kind: "object_relation", name: "author", ...inTable("article") },
      inDefault("permission article.user.select"),
    ],
    [
      "of a table: its objects, references to it and their users",
      { kind: "table", ...inTable("article") },
      inDefault(
        "computed field author.written",
        "event-trigger article.t",
        "function search",
        "permission article.all.select",
        "permission article.user.select",
        "permission author.user.update",
        "relationship article.author",
        "relationship author.articles",
        "relationship author.edited",
      ),
    ],
    ["of a role: its heirs and their heirs", { kind: "inherited_role", role: "user" }, ["role a", "role b"]],
  ])("Dependents are listed %s", (_, id, texts) => {
    expect(dependents(id)).toEqual(texts);
  });
});

describe("Messages about dependents", () => {
  it("A message about dependents names them in the order of their text", () => {
    const ids: ObjectId[] = [
      { kind: "object_relation", name: "r", ...inTable("t") },
      { kind: "permission", permission: "select", role: "user", ...inTable("t") },
    ];
    expect(cannotDropMessage(ids, analysis.catalog)).toBe(
      'cannot drop due to the following dependent objects: permission t.user.select in source "default", relationship t.r in source "default"',
    );
  });

  const other = { source: "default", table: { schema: "shop", name: "t" } };
  it.each<[ObjectId, string]>([
    [{ kind: "source", source: "s" }, "source s"],
    [{ kind: "table", ...inTable("t") }, 'table t in source "default"'],
    [{ kind: "table", ...other }, 'table shop.t in source "default"'],
    [{ kind: "column", column: "c", ...other }, 'column shop.t.c in source "default"'],
    [{ kind: "foreign_key", constraint: "k", ...inTable("t") }, 'constraint t.k in source "default"'],
    [{ kind: "array_relation", name: "r", ...inTable("t") }, 'relationship t.r in source "default"'],
    [{ kind: "computed_field", name: "f", ...inTable("t") }, 'computed field t.f in source "default"'],
    [{ kind: "remote_relationship", name: "r", ...inTable("t") }, 'remote relationship t.r in source "default"'],
    [{ kind: "event_trigger", name: "n", ...inTable("t") }, 'event-trigger t.n in source "default"'],
    [{ kind: "function", source: "default", function: name("f") }, 'function f in source "default"'],
    [
      { kind: "function_permission", source: "default", function: name("f"), role: "u" },
      'permission f.u in source "default"',
    ],
    [{ kind: "native_query", source: "default", name: "q" }, 'native query q in source "default"'],
    [{ kind: "logical_model", source: "default", name: "m" }, 'logical model m in source "default"'],
    [{ kind: "stored_procedure", source: "default", name: "p" }, 'stored procedure p in source "default"'],
    [{ kind: "remote_schema", name: "n" }, "remote schema n"],
    [{ kind: "remote_schema_permission", name: "n", role: "u" }, 'remote schema permission n."u"'],
    [
      { kind: "remote_schema_relationship", name: "n", type: "T", relationship: "r" },
      "remote_relationship r on type T in remote schema n",
    ],
    [{ kind: "inherited_role", role: "r" }, "role r"],
  ])("The object %j has a readable description", (id, text) => {
    expect(describeObject(id, analysis.catalog)).toBe(text);
  });

  it("The description of an object omits the default schema of its kind of source", () => {
    const connection_info = { connection_string: "x" };
    const catalog = parsed({
      version: 3,
      sources: [sourceOf("m", [], { kind: "mssql", configuration: { connection_info } })],
    });
    const table = (schema: string): ObjectId => ({ kind: "table", source: "m", table: { schema, name: "t" } });
    expect(describeObject(table("dbo"), catalog)).toBe('table t in source "m"');
    expect(describeObject(table("public"), catalog)).toBe('table public.t in source "m"');
    expect(describeObject(table("dbo"), catalogOf({}))).toBe('table dbo.t in source "m"');
  });
});

describe("Keys of objects", () => {
  it("The key of an object does not depend on the order of its properties", () => {
    const one: ObjectId = { kind: "column", source: "s", table: { schema: "a", name: "b" }, column: "c" };
    const other: ObjectId = { column: "c", table: { name: "b", schema: "a" }, source: "s", kind: "column" };
    expect(objectKey(one)).toBe(objectKey(other));
  });

  it("Different objects have different keys, for any names", () => {
    const part = fc.oneof(fc.constantFrom("", "a", "b", "a.b", '"', ",", '","'), fc.string());
    const column = fc.tuple(part, part, part, part);
    const id = ([source, schema, table, name]: [string, string, string, string]): ObjectId => ({
      kind: "column",
      source,
      table: { schema, name: table },
      column: name,
    });
    fc.assert(
      fc.property(column, column, (left, right) => {
        expect(objectKey(id(left)) === objectKey(id(right))).toBe(JSON.stringify(left) === JSON.stringify(right));
      }),
    );
  });
});
