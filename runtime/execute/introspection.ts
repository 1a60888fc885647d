/** Resolves `__schema` and `__type` from the same types that validate the requests of the role. */
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
import { EngineError } from "../values/errors.ts";
import { runInSlices } from "../values/interruptible.ts";
import { lazy } from "../values/lazy.ts";
import { LongText } from "../values/long-text.ts";
import { longAnswer } from "../values/response-memory.ts";
import { builtInTypes } from "./introspection-objects.ts";
import { IntrospectionWriter } from "./introspection-text.ts";

export type IntrospectionText = string | LongText;

const maxCacheBytes = 32 * 1024 * 1024;
const maxCachedSchemas = 8;

/** Bounded cache of introspection results of one generation. */
export class IntrospectionCache {
  /** Types by schema for `__type`. `__schema` visits each type once and caches no types. */
  readonly #types = new LRUCache<RoleSchema, Promise<ReadonlyMap<string, TypeDef>>>({ max: maxCachedSchemas });
  readonly #results = new LRUCache<string, IntrospectionText>({ maxSize: maxCacheBytes });
  /** Results in progress, shared by concurrent identical requests. */
  readonly #inProgress = new Map<string, Promise<IntrospectionText>>();
  /** The last traversal of a whole schema. */
  #traversal: Promise<unknown> = Promise.resolve();

  /**
   * Returns the JSON text of one introspection field. Large results are built in slices that yield to the event loop.
   * @throws EngineError
   */
  async textOf(
    schema: RoleSchema,
    nodes: readonly FieldNode[],
    operation: Operation,
    variables: Readonly<Record<string, unknown>>,
  ): Promise<IntrospectionText> {
    const [node] = nodes;
    if (node === undefined) return "null";
    const document = documentOf(nodes, operation);
    const key = JSON.stringify([schema.role, schema.variant, schema.api, document, variables]);
    const cached = this.#results.get(key) ?? this.#inProgress.get(key);
    if (cached !== undefined) return cached;
    check(document, node);
    const writing = this.#write(schema, node, new IntrospectionWriter(nodes, operation, variables));
    this.#inProgress.set(key, writing);
    try {
      const result = await writing;
      const size = typeof result === "string" ? result.length : result.held;
      this.#results.set(key, result, { size: size + 1 });
      return result;
    } finally {
      this.#inProgress.delete(key);
    }
  }

  async #write(schema: RoleSchema, node: FieldNode, text: IntrospectionWriter): Promise<IntrospectionText> {
    if (node.name.value === "__schema") return this.#inTurn(() => ofSchema(schema, text));
    const name = text.argument("name");
    if (typeof name !== "string") throw invalid(node, `Argument "name" of type "String!" must be a string.`);
    const type = builtInTypes().get(name) ?? (await this.#typesOf(schema)).get(name) ?? null;
    return await runInSlices(text.ofType(type));
  }

  /** Runs traversals one at a time, because each traversal loads the modules of all tables of a role. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const traversal = this.#traversal.then(work);
    this.#traversal = traversal.catch(() => undefined); // Reported to the request that started the traversal.
    return traversal;
  }

  #typesOf(schema: RoleSchema): Promise<ReadonlyMap<string, TypeDef>> {
    let types = this.#types.get(schema);
    if (types === undefined) {
      types = runInSlices(reachableTypes(schema));
      this.#types.set(schema, types);
    }
    return types;
  }
}

async function ofSchema(schema: RoleSchema, text: IntrospectionWriter): Promise<IntrospectionText> {
  const texts = await runInSlices(text.ofSchema(schema.transient()));
  return await (texts.size > longAnswer ? LongText.of(texts.blocks()) : texts.text());
}

function documentOf(nodes: readonly FieldNode[], operation: Operation): DocumentNode {
  const selectionSet = { kind: Kind.SELECTION_SET, selections: nodes } as const;
  const definition = { ...operation.definition, directives: [], selectionSet };
  return { kind: Kind.DOCUMENT, definitions: [definition, ...fragmentsIn(selectionSet, operation)] };
}

/**
 * Returns the fragments that the selection uses, directly or indirectly. Other fragments could enlarge the cache key.
 */
function fragmentsIn({ selections }: SelectionSetNode, { fragments }: Operation): ReadonlySet<FragmentDefinitionNode> {
  const found = new Set<FragmentDefinitionNode>();
  const pending = [...selections];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.kind !== Kind.FRAGMENT_SPREAD) {
      pending.push(...(node.selectionSet?.selections ?? []));
      continue;
    }
    const fragment = fragments.get(node.name.value);
    if (fragment === undefined || found.has(fragment)) continue;
    found.add(fragment);
    pending.push(...fragment.selectionSet.selections);
  }
  return found;
}

/** A minimal schema for validation: introspection types are the same in every schema. */
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
  // Variable definitions are removed, because variables of other fields may have types that the minimal schema lacks.
  const executable = {
    ...definition,
    kind: Kind.OPERATION_DEFINITION,
    variableDefinitions: [],
  } as DocumentNode["definitions"][number];
  const [problem] = validate(anySchema(), { ...document, definitions: [executable, ...fragments] }, rules);
  if (problem) throw invalid(node, introspectionMessage(problem.message));
}

const invalid = (node: FieldNode, message: string): EngineError =>
  new EngineError("validation-failed", `$.selectionSet.${node.name.value}`, message);

/** Translates a message of graphql-js to the wording of this API. */
function introspectionMessage(message: string): string {
  const unknownField = /^Cannot query field "(\w+)" on type "(\w+)"/.exec(message);
  if (unknownField) return `field '${unknownField[1]}' not found in type: '${unknownField[2]}'`;
  const unknownFragment = /^Unknown fragment ("\w+")/.exec(message);
  return unknownFragment ? `reference to undefined fragment ${unknownFragment[1]}` : message;
}
