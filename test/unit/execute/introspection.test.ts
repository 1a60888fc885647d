/** Introspection results, compared with graphql-js on the printed schema. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { makeExecutableSchema } from "@graphql-tools/schema";
import { executeSync, type FieldNode, type GraphQLSchema, getIntrospectionQuery, parse } from "graphql";
import { describe, expect, it } from "vitest";
import { IntrospectionCache, type IntrospectionText } from "../../../runtime/execute/introspection.ts";
import { directiveDefinitions } from "../../../runtime/execute/introspection-objects.ts";
import { defineRole } from "../../../runtime/model/definitions/roots.ts";
import { readOperation } from "../../../runtime/model/planner/request/document.ts";
import { type RoleSchema, roleSchema } from "../../../runtime/model/schema/role-schema.ts";
import { printSchema } from "../../../runtime/model/schema/sdl.ts";
import type { ObjectTypeDef, OutputField } from "../../../runtime/model/schema/types.ts";
import { sampleRole } from "../../support/sample-role.ts";
import { sampleWriter } from "../../support/sample-writer.ts";

type Variables = Readonly<Record<string, unknown>>;

const textOf = (text: IntrospectionText) => (typeof text === "string" ? text : text.text());

async function introspect(schema: RoleSchema, query: string, variables: Variables = {}): Promise<unknown> {
  const operation = readOperation(query, null);
  const nodes = operation.definition.selectionSet.selections.filter((each): each is FieldNode => each.kind === "Field");
  const cache = new IntrospectionCache();
  const results = await Promise.all(
    nodes.map(async (node) => textOf(await cache.textOf(schema, [node], operation, variables))),
  );
  return Object.fromEntries(
    nodes.map((node, i) => [node.alias?.value ?? node.name.value, JSON.parse(results[i] ?? "")]),
  );
}

function referenceResult(schema: RoleSchema, query: string, variables: Variables = {}): unknown {
  const executable = makeExecutableSchema({
    typeDefs: `${printSchema(schema)}${directiveDefinitions}`,
    resolvers: rootResolvers(schema),
    // The printed schema and the served one have the same root fields.
    resolverValidationOptions: { requireResolversToMatchSchema: "error" },
  });
  sortTypes(executable);
  const { data, errors } = executeSync({ schema: executable, document: parse(query), variableValues: variables });
  expect(errors).toBeUndefined();
  return JSON.parse(JSON.stringify(data));
}

/** Returns a resolver for each root field that the role has. */
function rootResolvers({ query, mutation, subscription }: RoleSchema) {
  const served = [query, mutation, subscription].filter((root) => root !== null);
  return Object.fromEntries(
    served.map((root) => [
      root.name,
      Object.fromEntries(Array.from(root.fields().keys(), (field) => [field, () => null])),
    ]),
  );
}

function sortTypes(schema: GraphQLSchema): void {
  const types = schema.getTypeMap();
  for (const [name, type] of Object.entries(types).sort(([a], [b]) => (a < b ? -1 : 1))) {
    delete types[name];
    types[name] = type;
  }
}

const schemas: [string, RoleSchema][] = [
  ["a reader", roleSchema(sampleRole)],
  ["a writer", roleSchema(sampleWriter)],
  ["a writer in a backend", roleSchema(sampleWriter, "backend")],
  ["a role without permissions", roleSchema(defineRole({ role: "x", query: {} }))],
];

const fullQuery = getIntrospectionQuery({
  descriptions: true,
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  schemaDescription: true,
  inputValueDeprecation: true,
  oneOf: true,
});

describe.each(schemas)("Introspection by %s", (_, schema) => {
  it("Introspection returns the same result as graphql-js", async () => {
    const reference = referenceResult(schema, fullQuery) as { __schema: { directives: { name: string }[] } };
    const directives = reference.__schema.directives.filter(({ name }) => ["cached", "include", "skip"].includes(name));
    expect(await introspect(schema, fullQuery)).toEqual({ __schema: { ...reference.__schema, directives } });
  });

  it("Introspection lists the directives of requests", async () => {
    const query =
      "{ __schema { directives { name description locations args { name defaultValue type { kind ofType { name } } } } } }";
    const { __schema } = (await introspect(schema, query)) as { __schema: { directives: { name: string }[] } };
    expect(__schema.directives.map(({ name }) => name)).toEqual(["cached", "include", "skip"]);
    expect(__schema.directives[0]).toEqual({
      name: "cached",
      description: "whether this query should be cached (Engine Cloud only)",
      locations: ["QUERY"],
      args: [
        { name: "ttl", defaultValue: "60", type: { kind: "NON_NULL", ofType: { name: "Int" } } },
        { name: "refresh", defaultValue: "false", type: { kind: "NON_NULL", ofType: { name: "Boolean" } } },
      ],
    });
    expect(__schema.directives[1]).toMatchObject({ description: "whether this query should be included" });
  });

  it("Introspection supports aliases, fragments, directives and type look-ups by name", async () => {
    const query = `
      query ($name: String!, $all: Boolean = false) {
        it: __type(name: $name) { __typename kind ...Named ... on __Type { fields { __typename name } } }
        none: __type(name: "Nobody") { name }
        __schema { queryType { name @skip(if: true) kind ...Named @include(if: $all) } types { n: name kind } }
      }
      fragment Named on __Type { title: name fields(includeDeprecated: true) { name args { name type { name ofType { name } } } } }`;
    const variables = { name: "query_root" };
    expect(await introspect(schema, query, variables)).toEqual(referenceResult(schema, query, variables));
  });
});

it.each([
  ["{ __schema { nothing } }", "field 'nothing' not found in type: '__Schema'"],
  [
    "{ __schema { types { ...Named } } } fragment Named on __Type { nothing }",
    "field 'nothing' not found in type: '__Type'",
  ],
  ["{ __schema { types { ...Nobody } } }", 'reference to undefined fragment "Nobody"'],
  ["{ __type { name } }", 'Field "__type" argument "name" of type "String!" is required, but it was not provided.'],
  ["{ __type(name: 3) { name } }", "String cannot represent a non string value: 3"],
  ["query ($n: String) { __type(name: $n) { name } }", 'Argument "name" of type "String!" must be a string.'],
  [
    "{ __schema { types } }",
    'Field "types" of type "[__Type!]!" must have a selection of subfields. Did you mean "types { ... }"?',
  ],
  [
    "{ __schema { types { fields { type { fields { type { fields { name } } } } } } } }",
    "Maximum introspection depth exceeded",
  ],
])("An introspection query with an invalid selection is refused: %s", async (query, message) => {
  await expect(introspect(roleSchema(sampleRole), query)).rejects.toThrow(message);
});

it("Concurrent requests for the same introspection share one computation", async () => {
  const { query, ...schema } = roleSchema(sampleRole);
  let reads = 0;
  const fields = () => {
    reads++;
    return query.fields();
  };
  const counted: RoleSchema = { ...schema, query: { ...query, fields }, transient: () => counted };
  const operation = readOperation("{ __schema { types { name fields { name } } } }", null);
  const nodes = operation.definition.selectionSet.selections as readonly FieldNode[];
  const read = (cache: IntrospectionCache) => cache.textOf(counted, nodes, operation, {});
  const single = await read(new IntrospectionCache());
  const readsForOne = reads;
  const cache = new IntrospectionCache();
  const [firstResult, ...others] = await Promise.all([read(cache), read(cache), read(cache)]);
  expect(firstResult).toEqual(single);
  for (const other of [...others, await read(cache)]) expect(other).toBe(firstResult);
  expect(reads).toBe(2 * readsForOne);
});

it("The introspection cache traverses one schema at a time, even for different queries", async () => {
  const schema = roleSchema(sampleRole);
  const events: string[] = [];
  const transient = () => {
    events.push("begins");
    return schema.transient();
  };
  const cache = new IntrospectionCache();
  await Promise.all(
    ["a", "b", "c"].map(async (alias) => {
      const operation = readOperation(`{ __schema { types { ${alias}: name fields { name } } } }`, null);
      await cache.textOf(
        { ...schema, transient },
        operation.definition.selectionSet.selections as FieldNode[],
        operation,
        {},
      );
      events.push("ends");
    }),
  );
  // A caller receives its result some steps after the walk has ended.
  expect(events.lastIndexOf("begins")).toBeGreaterThan(events.indexOf("ends"));
});

it("Introspection succeeds after an earlier traversal failed", async () => {
  const schema = roleSchema(sampleRole);
  const cache = new IntrospectionCache();
  const read = (schemaToRead: RoleSchema, alias: string) => {
    const operation = readOperation(`{ __schema { types { ${alias}: name } } }`, null);
    return cache.textOf(schemaToRead, operation.definition.selectionSet.selections as FieldNode[], operation, {});
  };
  const transient = () => {
    throw new Error("no modules");
  };
  await expect(read({ ...schema, transient }, "a")).rejects.toThrow("no modules");
  expect(await textOf(await read(schema, "b"))).toContain('"b":"author"');
});

it("Introspection keeps only a few of its written types in memory", async () => {
  const schema = roleSchema(sampleRole);
  const operation = readOperation(fullQuery, null);
  const nodes = operation.definition.selectionSet.selections as readonly FieldNode[];
  const transient = schema.transient();
  const result = await new IntrospectionCache().textOf({ ...schema, transient: () => transient }, nodes, operation, {});
  expect(await textOf(result)).toContain("book_bool_exp");
  const typeOf = () => transient.query.fields().get("book")?.type();
  const type = typeOf();
  expect(typeOf()).toBe(type);
  for (let i = 0; i < 100; i++)
    transient.types.of({ name: "default" }).get(`Other${i}`, () => ({ kind: "scalar", name: "" }));
  expect(typeOf()).not.toBe(type);
});

it("A long introspection result is cached in compressed form", async () => {
  const { query, ...schema } = roleSchema(sampleRole);
  const [field] = query.fields().values();
  const types = Array.from({ length: 300 }, (_, i): ObjectTypeDef => {
    return { kind: "object", name: `Long${i}`, description: "x".repeat(1000), fields: () => new Map() };
  });
  const fields = new Map(types.map((type) => [type.name, { ...field, type: () => type } as OutputField]));
  const long: RoleSchema = { ...schema, query: { ...query, fields: () => fields }, transient: () => long };
  const operation = readOperation("{ __schema { types { name description } } }", null);
  const nodes = operation.definition.selectionSet.selections as readonly FieldNode[];
  const cache = new IntrospectionCache();
  const result = await cache.textOf(long, nodes, operation, {});
  if (typeof result === "string") throw new Error("expected a long text");
  const text = await result.text();
  expect(await cache.textOf(long, nodes, operation, {})).toBe(result);
  expect(result.held).toBeLessThan(result.size / 10);
  const { types: listedTypes } = JSON.parse(text) as { types: { name: string }[] };
  const names = listedTypes.map(({ name }) => name);
  expect(names).toEqual(names.toSorted());
  expect(names.filter((name) => name.startsWith("Long"))).toHaveLength(300);
});

it("Introspection yields to other requests while it runs", async () => {
  const { query, ...schema } = roleSchema(sampleRole);
  const [field] = query.fields().values();
  const slowType = (name: string): ObjectTypeDef => ({
    kind: "object",
    name,
    fields: () => {
      const began = performance.now();
      while (performance.now() - began < 5);
      return new Map();
    },
  });
  const types = Array.from({ length: 20 }, (_, i) => slowType(`Slow${i}`));
  const fields = new Map(types.map((type) => [type.name, { ...field, type: () => type } as OutputField]));
  const slow: RoleSchema = { ...schema, query: { ...query, fields: () => fields }, transient: () => slow };
  const operation = readOperation("{ __schema { types { name fields { name } } } }", null);
  const nodes = operation.definition.selectionSet.selections as readonly FieldNode[];
  let isMade = false;
  const pending = new IntrospectionCache().textOf(slow, nodes, operation, {}).then((text) => {
    isMade = true;
    return text;
  });
  let turns = 0;
  for (; !isMade; turns++) await nextTurn();
  expect(await pending).toContain("Slow19");
  // Finding the types and describing their fields each take at least 100 milliseconds and pause after every slice. If
  // only one of these steps paused, there would be fewer turns.
  expect(turns).toBeGreaterThan(12);
});
