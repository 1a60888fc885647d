/** `__schema` and `__type`: answered from the types that requests of the role are validated against (`graphql-api.md` 8). */
import {
  buildSchema,
  type DocumentNode,
  type FieldNode,
  FieldsOnCorrectTypeRule,
  type FragmentDefinitionNode,
  Kind,
  KnownArgumentNamesRule,
  KnownFragmentNamesRule,
  MaxIntrospectionDepthRule,
  ProvidedRequiredArgumentsRule,
  ScalarLeafsRule,
  type SelectionSetNode,
  ValuesOfCorrectTypeRule,
  validate,
} from "graphql";
import { LRUCache } from "lru-cache";
import type { Operation } from "../model/planner/request/document.ts";
import { reachableTypes, type TypeDef } from "../model/schema/reachable-types.ts";
import type { RoleSchema } from "../model/schema/role-schema.ts";
import { longAnswer } from "../values/answer-memory.ts";
import { EngineError } from "../values/errors.ts";
import { inSlices } from "../values/interruptible.ts";
import { lazy } from "../values/lazy.ts";
import { LongText } from "../values/long-text.ts";
import { languageTypes } from "./introspection-objects.ts";
import { IntrospectionText } from "./introspection-text.ts";

/** The JSON text of one introspection field. */
export type IntrospectionAnswer = string | LongText;

const answerBytes = 32 * 1024 * 1024;
const schemasKept = 8;

/** What introspection made of schemas, and its answers, bounded; belongs to one Generation. */
export class IntrospectionCache {
  /** Of those that were asked for types by name: `__schema` looks at each type once and keeps none. */
  readonly #types = new LRUCache<RoleSchema, Promise<ReadonlyMap<string, TypeDef>>>({ max: schemasKept });
  readonly #answers = new LRUCache<string, IntrospectionAnswer>({ maxSize: answerBytes });
  /** Those that are being made: who asks the same waits for the same. */
  readonly #underWay = new Map<string, Promise<IntrospectionAnswer>>();
  /** The last walk of a whole schema. */
  #walk: Promise<unknown> = Promise.resolve();

  /**
   * The JSON text of one introspection field. A large one is made between other requests.
   * @throws EngineError
   */
  async answer(
    schema: RoleSchema,
    nodes: readonly FieldNode[],
    operation: Operation,
    variables: Readonly<Record<string, unknown>>,
  ): Promise<IntrospectionAnswer> {
    const [node] = nodes;
    if (node === undefined) return "null";
    const document = documentOf(nodes, operation);
    const key = JSON.stringify([schema.role, schema.variant, schema.api, document, variables]);
    const known = this.#answers.get(key) ?? this.#underWay.get(key);
    if (known !== undefined) return known;
    check(document, node);
    const making = this.#make(schema, node, new IntrospectionText(nodes, operation, variables));
    this.#underWay.set(key, making);
    try {
      const answer = await making;
      const size = typeof answer === "string" ? answer.length : answer.held;
      this.#answers.set(key, answer, { size: size + 1 });
      return answer;
    } finally {
      this.#underWay.delete(key);
    }
  }

  async #make(schema: RoleSchema, node: FieldNode, text: IntrospectionText): Promise<IntrospectionAnswer> {
    if (node.name.value === "__schema") return this.#inTurn(() => ofSchema(schema, text));
    const name = text.argument("name");
    if (typeof name !== "string") throw invalid(node, `Argument "name" of type "String!" needs a text.`);
    const type = languageTypes().get(name) ?? (await this.#typesOf(schema)).get(name) ?? null;
    return await inSlices(text.ofType(type));
  }

  /** One walk after the other, whoever asks in whatever words: each holds the modules of all tables of a role. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const walk = this.#walk.then(work);
    this.#walk = walk.catch(() => undefined); // told to who asked
    return walk;
  }

  #typesOf(schema: RoleSchema): Promise<ReadonlyMap<string, TypeDef>> {
    let types = this.#types.get(schema);
    if (types === undefined) {
      types = inSlices(reachableTypes(schema));
      this.#types.set(schema, types);
    }
    return types;
  }
}

async function ofSchema(schema: RoleSchema, text: IntrospectionText): Promise<IntrospectionAnswer> {
  const texts = await inSlices(text.ofSchema(schema.unkept()));
  return await (texts.size > longAnswer ? LongText.of(texts.blocks()) : texts.text());
}

function documentOf(nodes: readonly FieldNode[], operation: Operation): DocumentNode {
  const selectionSet = { kind: Kind.SELECTION_SET, selections: nodes } as const;
  const definition = { ...operation.definition, directives: [], selectionSet };
  return { kind: Kind.DOCUMENT, definitions: [definition, ...fragmentsIn(selectionSet, operation)] };
}

/** Those that the selection spreads, directly or not: other fields of a request may have large ones. */
function fragmentsIn({ selections }: SelectionSetNode, { fragments }: Operation): ReadonlySet<FragmentDefinitionNode> {
  const found = new Set<FragmentDefinitionNode>();
  const waiting = [...selections];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.kind !== Kind.FRAGMENT_SPREAD) {
      waiting.push(...(node.selectionSet?.selections ?? []));
      continue;
    }
    const fragment = fragments.get(node.name.value);
    if (fragment === undefined || found.has(fragment)) continue;
    found.add(fragment);
    waiting.push(...fragment.selectionSet.selections);
  }
  return found;
}

/** The types of introspection are the same in every schema. */
const anySchema = lazy(() => buildSchema("type Query { ok: Boolean }"));

const rules = [
  FieldsOnCorrectTypeRule,
  KnownArgumentNamesRule,
  KnownFragmentNamesRule,
  MaxIntrospectionDepthRule,
  ProvidedRequiredArgumentsRule,
  ScalarLeafsRule,
  ValuesOfCorrectTypeRule,
];

function check(document: DocumentNode, node: FieldNode): void {
  const [definition, ...fragments] = document.definitions;
  // Variables of other fields may have types of the role's schema.
  const own = {
    ...definition,
    kind: Kind.OPERATION_DEFINITION,
    variableDefinitions: [],
  } as DocumentNode["definitions"][number];
  const [problem] = validate(anySchema(), { ...document, definitions: [own, ...fragments] }, rules);
  if (problem) throw invalid(node, introspectionMessage(problem.message));
}

const invalid = (node: FieldNode, message: string): EngineError =>
  new EngineError("validation-failed", `$.selectionSet.${node.name.value}`, message);

/** The specification's words for what graphql-js found. */
function introspectionMessage(message: string): string {
  const unknownField = /^Cannot query field "(\w+)" on type "(\w+)"/.exec(message);
  if (unknownField) return `field '${unknownField[1]}' not found in type: '${unknownField[2]}'`;
  const unknownFragment = /^Unknown fragment ("\w+")/.exec(message);
  return unknownFragment ? `reference to undefined fragment ${unknownFragment[1]}` : message;
}
