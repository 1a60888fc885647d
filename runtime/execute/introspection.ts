/**
 * `__schema` and `__type`: answered by graphql-js on an executable schema that is made from the role's SDL when it
 * is first asked for (`graphql-api.md` 8).
 */
import { makeExecutableSchema } from "@graphql-tools/schema";
import {
  type DocumentNode,
  executeSync,
  type FieldNode,
  FieldsOnCorrectTypeRule,
  type GraphQLSchema,
  Kind,
  KnownArgumentNamesRule,
  ProvidedRequiredArgumentsRule,
  ScalarLeafsRule,
  validate,
} from "graphql";
import { LRUCache } from "lru-cache";
import { EngineError } from "../support/errors.ts";
import type { Operation } from "../support/operation/document.ts";

const answerBytes = 32 * 1024 * 1024;
const schemasKept = 8;

/** Executable schemas and their answers, bounded; belongs to one Generation. */
export class IntrospectionCache {
  readonly #schemas = new LRUCache<string, GraphQLSchema>({ max: schemasKept });
  readonly #answers = new LRUCache<string, string>({
    maxSize: answerBytes,
    sizeCalculation: (text) => text.length + 1,
  });

  /**
   * The JSON text of one introspection field.
   * @param schema names the schema: role and variant
   * @param sdl the schema's text; asked for once
   */
  answer(
    schema: string,
    sdl: () => string,
    nodes: readonly FieldNode[],
    operation: Operation,
    variables: Readonly<Record<string, unknown>>,
  ): string {
    const document = documentOf(nodes, operation);
    const key = JSON.stringify([schema, document, variables]);
    let answer = this.#answers.get(key);
    if (answer === undefined) {
      answer = ask(this.#schema(schema, sdl), document, variables, nodes[0]);
      this.#answers.set(key, answer);
    }
    return answer;
  }

  #schema(name: string, sdl: () => string): GraphQLSchema {
    let schema = this.#schemas.get(name);
    if (!schema) {
      schema = makeExecutableSchema({ typeDefs: sdl(), assumeValid: true });
      sortTypes(schema);
      this.#schemas.set(name, schema);
    }
    return schema;
  }
}

function documentOf(nodes: readonly FieldNode[], operation: Operation): DocumentNode {
  const selectionSet = { kind: Kind.SELECTION_SET, selections: nodes } as const;
  const definition = { ...operation.definition, directives: [], selectionSet };
  return { kind: Kind.DOCUMENT, definitions: [definition, ...operation.fragments.values()] };
}

const rules = [FieldsOnCorrectTypeRule, KnownArgumentNamesRule, ProvidedRequiredArgumentsRule, ScalarLeafsRule];

function ask(
  schema: GraphQLSchema,
  document: DocumentNode,
  variables: Readonly<Record<string, unknown>>,
  node: FieldNode | undefined,
): string {
  const path = `$.selectionSet.${node?.name.value ?? ""}`;
  const own = { ...document, definitions: document.definitions.slice(0, 1) };
  const [problem] = validate(schema, own, rules);
  if (problem) throw new EngineError("validation-failed", path, introspectionMessage(problem.message));
  const { data, errors } = executeSync({ schema, document, variableValues: variables });
  if (errors?.[0]) throw new EngineError("validation-failed", path, errors[0].message);
  const key = node?.alias?.value ?? node?.name.value ?? "";
  return JSON.stringify(data?.[key] ?? null);
}

/** The specification's words for what graphql-js found. */
function introspectionMessage(message: string): string {
  const unknownField = /^Cannot query field "(\w+)" on type "(\w+)"/.exec(message);
  return unknownField ? `field '${unknownField[1]}' not found in type: '${unknownField[2]}'` : message;
}

/** Introspection lists types by name; graphql-js keeps the order in which it met them. */
function sortTypes(schema: GraphQLSchema): void {
  const types = schema.getTypeMap();
  const names = Object.keys(types).sort();
  const sorted = names.map((name) => [name, types[name]] as const);
  for (const name of names) delete types[name];
  for (const [name, type] of sorted) if (type) types[name] = type;
}
