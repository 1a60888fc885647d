/** Answers of introspection, with graphql-js on the printed schema as the second opinion. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { makeExecutableSchema } from "@graphql-tools/schema";
import { executeSync, type FieldNode, type GraphQLSchema, getIntrospectionQuery, parse } from "graphql";
import { describe, expect, it } from "vitest";
import { type IntrospectionAnswer, IntrospectionCache } from "../../../runtime/execute/introspection.ts";
import { directiveDefinitions } from "../../../runtime/execute/introspection-objects.ts";
import { defineRole } from "../../../runtime/model/definitions/roots.ts";
import { readOperation } from "../../../runtime/model/planner/request/document.ts";
import { type RoleSchema, roleSchema } from "../../../runtime/model/schema/role-schema.ts";
import { printSchema } from "../../../runtime/model/schema/sdl.ts";
import type { ObjectTypeDef, OutputField } from "../../../runtime/model/schema/types.ts";
import { sampleRole } from "../../support/sample-role.ts";
import { sampleWriter } from "../../support/sample-writer.ts";

type Variables = Readonly<Record<string, unknown>>;

const textOf = (answer: IntrospectionAnswer) => (typeof answer === "string" ? answer : answer.text());

async function answer(schema: RoleSchema, query: string, variables: Variables = {}): Promise<unknown> {
  const operation = readOperation(query, null);
  const nodes = operation.definition.selectionSet.selections.filter((each): each is FieldNode => each.kind === "Field");
  const cache = new IntrospectionCache();
  const answers = await Promise.all(
    nodes.map(async (node) => textOf(await cache.answer(schema, [node], operation, variables))),
  );
  return Object.fromEntries(
    nodes.map((node, i) => [node.alias?.value ?? node.name.value, JSON.parse(answers[i] ?? "")]),
  );
}

function secondOpinion(schema: RoleSchema, query: string, variables: Variables = {}): unknown {
  const executable = makeExecutableSchema({
    typeDefs: `${printSchema(schema)}${directiveDefinitions}`,
    resolvers: rootResolvers(schema),
    // What is printed and what is served name the same root fields.
    resolverValidationOptions: { requireResolversToMatchSchema: "error" },
  });
  sortTypes(executable);
  const { data, errors } = executeSync({ schema: executable, document: parse(query), variableValues: variables });
  expect(errors).toBeUndefined();
  return JSON.parse(JSON.stringify(data));
}

/** A resolver for each root field that the role has. */
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

const everything = getIntrospectionQuery({
  descriptions: true,
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  schemaDescription: true,
  inputValueDeprecation: true,
  oneOf: true,
});

describe.each(schemas)("introspection by %s", (_, schema) => {
  it("says the same as graphql-js", async () => {
    const opinion = secondOpinion(schema, everything) as { __schema: { directives: { name: string }[] } };
    const directives = opinion.__schema.directives.filter(({ name }) => ["cached", "include", "skip"].includes(name));
    expect(await answer(schema, everything)).toEqual({ __schema: { ...opinion.__schema, directives } });
  });

  it("knows the directives of requests", async () => {
    const query =
      "{ __schema { directives { name description locations args { name defaultValue type { kind ofType { name } } } } } }";
    const { __schema } = (await answer(schema, query)) as { __schema: { directives: { name: string }[] } };
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

  it("knows aliases, fragments, directives and names of types", async () => {
    const query = `
      query ($name: String!, $all: Boolean = false) {
        it: __type(name: $name) { __typename kind ...Named ... on __Type { fields { __typename name } } }
        none: __type(name: "Nobody") { name }
        __schema { queryType { name @skip(if: true) kind ...Named @include(if: $all) } types { n: name kind } }
      }
      fragment Named on __Type { title: name fields(includeDeprecated: true) { name args { name type { name ofType { name } } } } }`;
    const variables = { name: "query_root" };
    expect(await answer(schema, query, variables)).toEqual(secondOpinion(schema, query, variables));
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
  ["query ($n: String) { __type(name: $n) { name } }", 'Argument "name" of type "String!" needs a text.'],
  [
    "{ __schema { types } }",
    'Field "types" of type "[__Type!]!" must have a selection of subfields. Did you mean "types { ... }"?',
  ],
  [
    "{ __schema { types { fields { type { fields { type { fields { name } } } } } } } }",
    "Maximum introspection depth exceeded",
  ],
])("%s is refused", async (query, message) => {
  await expect(answer(roleSchema(sampleRole), query)).rejects.toThrow(message);
});

it("is made once for all who ask while it is made", async () => {
  const { query, ...schema } = roleSchema(sampleRole);
  let looks = 0;
  const fields = () => {
    looks++;
    return query.fields();
  };
  const counted: RoleSchema = { ...schema, query: { ...query, fields }, unkept: () => counted };
  const operation = readOperation("{ __schema { types { name fields { name } } } }", null);
  const nodes = operation.definition.selectionSet.selections as readonly FieldNode[];
  const ask = (cache: IntrospectionCache) => cache.answer(counted, nodes, operation, {});
  const answer = await ask(new IntrospectionCache());
  const looksForOne = looks;
  const cache = new IntrospectionCache();
  const [made, ...others] = await Promise.all([ask(cache), ask(cache), ask(cache)]);
  expect(made).toEqual(answer);
  for (const other of [...others, await ask(cache)]) expect(other).toBe(made);
  expect(looks).toBe(2 * looksForOne);
});

it("walks a schema once at a time, in however many words it is asked for", async () => {
  const schema = roleSchema(sampleRole);
  const events: string[] = [];
  const unkept = () => {
    events.push("begins");
    return schema.unkept();
  };
  const cache = new IntrospectionCache();
  await Promise.all(
    ["a", "b", "c"].map(async (alias) => {
      const operation = readOperation(`{ __schema { types { ${alias}: name fields { name } } } }`, null);
      await cache.answer(
        { ...schema, unkept },
        operation.definition.selectionSet.selections as FieldNode[],
        operation,
        {},
      );
      events.push("ends");
    }),
  );
  // Who waits for an answer has it some steps after its walk has ended.
  expect(events.lastIndexOf("begins")).toBeGreaterThan(events.indexOf("ends"));
});

it("goes on after a walk that failed", async () => {
  const schema = roleSchema(sampleRole);
  const cache = new IntrospectionCache();
  const ask = (asked: RoleSchema, alias: string) => {
    const operation = readOperation(`{ __schema { types { ${alias}: name } } }`, null);
    return cache.answer(asked, operation.definition.selectionSet.selections as FieldNode[], operation, {});
  };
  const unkept = () => {
    throw new Error("no modules");
  };
  await expect(ask({ ...schema, unkept }, "a")).rejects.toThrow("no modules");
  expect(await textOf(await ask(schema, "b"))).toContain('"b":"author"');
});

it("keeps few of the types that it has written, so that a large schema takes no more memory than its text", async () => {
  const schema = roleSchema(sampleRole);
  const operation = readOperation(everything, null);
  const nodes = operation.definition.selectionSet.selections as readonly FieldNode[];
  const unkept = schema.unkept();
  const answer = await new IntrospectionCache().answer({ ...schema, unkept: () => unkept }, nodes, operation, {});
  expect(await textOf(answer)).toContain("book_bool_exp");
  const typeOf = () => unkept.query.fields().get("book")?.type();
  const type = typeOf();
  expect(typeOf()).toBe(type);
  for (let i = 0; i < 100; i++)
    unkept.types.of({ name: "default" }).get(`Other${i}`, () => ({ kind: "scalar", name: "" }));
  expect(typeOf()).not.toBe(type);
});

it("gives a long answer as one that is kept compressed", async () => {
  const { query, ...schema } = roleSchema(sampleRole);
  const [field] = query.fields().values();
  const types = Array.from({ length: 300 }, (_, i): ObjectTypeDef => {
    return { kind: "object", name: `Long${i}`, description: "x".repeat(1000), fields: () => new Map() };
  });
  const fields = new Map(types.map((type) => [type.name, { ...field, type: () => type } as OutputField]));
  const long: RoleSchema = { ...schema, query: { ...query, fields: () => fields }, unkept: () => long };
  const operation = readOperation("{ __schema { types { name description } } }", null);
  const nodes = operation.definition.selectionSet.selections as readonly FieldNode[];
  const cache = new IntrospectionCache();
  const answer = await cache.answer(long, nodes, operation, {});
  if (typeof answer === "string") throw new Error("it is short");
  const text = await answer.text();
  expect(await cache.answer(long, nodes, operation, {})).toBe(answer);
  expect(answer.held).toBeLessThan(answer.size / 10);
  const { types: answered } = JSON.parse(text) as { types: { name: string }[] };
  const names = answered.map(({ name }) => name);
  expect(names).toEqual(names.toSorted());
  expect(names.filter((name) => name.startsWith("Long"))).toHaveLength(300);
});

it("lets other requests have their turn while it is made", async () => {
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
  const slow: RoleSchema = { ...schema, query: { ...query, fields: () => fields }, unkept: () => slow };
  const operation = readOperation("{ __schema { types { name fields { name } } } }", null);
  const nodes = operation.definition.selectionSet.selections as readonly FieldNode[];
  let isMade = false;
  const answer = new IntrospectionCache().answer(slow, nodes, operation, {}).then((text) => {
    isMade = true;
    return text;
  });
  let turns = 0;
  for (; !isMade; turns++) await nextTurn();
  expect(await answer).toContain("Slow19");
  // Each type is slow to find and slow to describe: 200 milliseconds in slices of ten, of which neither part is one.
  expect(turns).toBeGreaterThan(12);
});
