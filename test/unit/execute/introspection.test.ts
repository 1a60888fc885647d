/** Answers of introspection, with graphql-js on the printed schema as the second opinion. */
import { makeExecutableSchema } from "@graphql-tools/schema";
import { executeSync, type FieldNode, type GraphQLSchema, getIntrospectionQuery, parse } from "graphql";
import { describe, expect, it } from "vitest";
import { printSchema } from "../../../compiler/4-emit/sdl.ts";
import { IntrospectionCache } from "../../../runtime/execute/introspection.ts";
import { directiveDefinitions } from "../../../runtime/execute/introspection-objects.ts";
import { readOperation } from "../../../runtime/support/operation/document.ts";
import { defineRole } from "../../../runtime/support/roots.ts";
import { type RoleSchema, roleSchema } from "../../../runtime/support/schema/role-schema.ts";
import { sampleRole } from "../../support/sample-role.ts";
import { sampleWriter } from "../../support/sample-writer.ts";

type Variables = Readonly<Record<string, unknown>>;

function answer(schema: RoleSchema, query: string, variables: Variables = {}): unknown {
  const operation = readOperation(query, null);
  const nodes = operation.definition.selectionSet.selections.filter((each): each is FieldNode => each.kind === "Field");
  const cache = new IntrospectionCache();
  return Object.fromEntries(
    nodes.map((node) => [
      node.alias?.value ?? node.name.value,
      JSON.parse(cache.answer(schema, [node], operation, variables)),
    ]),
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
  it("says the same as graphql-js", () => {
    const opinion = secondOpinion(schema, everything) as { __schema: { directives: { name: string }[] } };
    const directives = opinion.__schema.directives.filter(({ name }) => ["cached", "include", "skip"].includes(name));
    expect(answer(schema, everything)).toEqual({ __schema: { ...opinion.__schema, directives } });
  });

  it("knows the directives of requests", () => {
    const query =
      "{ __schema { directives { name description locations args { name defaultValue type { kind ofType { name } } } } } }";
    const { __schema } = answer(schema, query) as { __schema: { directives: { name: string }[] } };
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

  it("knows aliases, fragments, directives and names of types", () => {
    const query = `
      query ($name: String!, $all: Boolean = false) {
        it: __type(name: $name) { __typename kind ...Named ... on __Type { fields { __typename name } } }
        none: __type(name: "Nobody") { name }
        __schema { queryType { name @skip(if: true) kind ...Named @include(if: $all) } types { n: name kind } }
      }
      fragment Named on __Type { title: name fields(includeDeprecated: true) { name args { name type { name ofType { name } } } } }`;
    const variables = { name: "query_root" };
    expect(answer(schema, query, variables)).toEqual(secondOpinion(schema, query, variables));
  });
});

it.each([
  ["{ __schema { nothing } }", "field 'nothing' not found in type: '__Schema'"],
  ["{ __type { name } }", 'Field "__type" argument "name" of type "String!" is required, but it was not provided.'],
  ["{ __type(name: 3) { name } }", "String cannot represent a non string value: 3"],
  ["query ($n: String) { __type(name: $n) { name } }", 'Argument "name" of type "String!" needs a text.'],
  [
    "{ __schema { types } }",
    'Field "types" of type "[__Type!]!" must have a selection of subfields. Did you mean "types { ... }"?',
  ],
])("%s is refused", (query, message) => {
  expect(() => answer(roleSchema(sampleRole), query)).toThrow(message);
});
