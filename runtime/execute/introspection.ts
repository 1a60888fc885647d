/** `__schema` and `__type`: answered from the types that requests of the role are validated against (`graphql-api.md` 8). */
import {
  buildSchema,
  type DirectiveNode,
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
  type ValueNode,
  ValuesOfCorrectTypeRule,
  validate,
} from "graphql";
import { LRUCache } from "lru-cache";
import type { Operation } from "../planner/request/document.ts";
import type { RoleSchema } from "../schema/role-schema.ts";
import { EngineError } from "../values/errors.ts";
import { type Interruptible, inSlices } from "../values/interruptible.ts";
import { isObject } from "../values/is-object.ts";
import { lazy } from "../values/lazy.ts";
import { type IntrospectedSchema, type IntrospectionObject, introspectedSchema } from "./introspection-objects.ts";

const answerBytes = 32 * 1024 * 1024;
const schemasKept = 8;

/** What introspection made of schemas, and its answers, bounded; belongs to one Generation. */
export class IntrospectionCache {
  readonly #schemas = new LRUCache<RoleSchema, Promise<IntrospectedSchema>>({ max: schemasKept });
  readonly #answers = new LRUCache<string, string>({
    maxSize: answerBytes,
    sizeCalculation: (text) => text.length + 1,
  });
  /** Those that are being made: who asks the same waits for the same. */
  readonly #underWay = new Map<string, Promise<string>>();

  /**
   * The JSON text of one introspection field. A large one is made between other requests.
   * @throws EngineError
   */
  async answer(
    schema: RoleSchema,
    nodes: readonly FieldNode[],
    operation: Operation,
    variables: Readonly<Record<string, unknown>>,
  ): Promise<string> {
    const [node] = nodes;
    if (node === undefined) return "null";
    const document = documentOf(nodes, operation);
    const key = JSON.stringify([schema.role, schema.variant, schema.api, document, variables]);
    const known = this.#answers.get(key) ?? this.#underWay.get(key);
    if (known !== undefined) return known;
    check(document, node);
    const make = async (): Promise<string> => {
      const introspected = await this.#introspected(schema);
      return await inSlices(new Answer(operation, variables).root(introspected, node, nodes));
    };
    const making = make();
    this.#underWay.set(key, making);
    try {
      const answer = await making;
      this.#answers.set(key, answer);
      return answer;
    } finally {
      this.#underWay.delete(key);
    }
  }

  #introspected(schema: RoleSchema): Promise<IntrospectedSchema> {
    let introspected = this.#schemas.get(schema);
    if (introspected === undefined) {
      introspected = inSlices(introspectedSchema(schema));
      this.#schemas.set(schema, introspected);
    }
    return introspected;
  }
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

interface SelectedField {
  /** `"key":` */
  readonly prefix: string;
  readonly name: string;
  readonly selections: Selections;
  /** Of a list whose items can be deprecated: those that are, are left out. */
  readonly withoutDeprecated: boolean;
}

/** The selection sets of one place in the answer, and what they select of each type. */
class Selections {
  readonly sets: readonly SelectionSetNode[];
  readonly byType = new Map<string, readonly SelectedField[]>();
  /** The text of each type that was referred to here. */
  readonly references = new Map<object, string>();

  constructor(sets: readonly SelectionSetNode[]) {
    this.sets = sets;
  }
}

class Answer {
  readonly #operation: Operation;
  readonly #variables: Readonly<Record<string, unknown>>;

  constructor(operation: Operation, variables: Readonly<Record<string, unknown>>) {
    this.#operation = operation;
    this.#variables = variables;
  }

  *root({ schema, types }: IntrospectedSchema, node: FieldNode, nodes: readonly FieldNode[]): Interruptible<string> {
    const selections = selectionsOf(nodes);
    if (node.name.value === "__schema") return yield* this.#textInPieces(schema, selections, 2);
    const name = this.#value(node.arguments?.find((argument) => argument.name.value === "name")?.value);
    if (typeof name !== "string") throw invalid(node, `Argument "name" of type "String!" needs a text.`);
    return yield* this.#textInPieces(types.get(name) ?? null, selections, 1);
  }

  /**
   * As `#text`, with interruptions; a generator for each value would cost more than the values.
   * @param levels of objects that are many, types and their fields; what is below is made at once
   */
  *#textInPieces(value: unknown, selections: Selections, levels: number): Interruptible<string> {
    if (levels === 0 || value === null || typeof value !== "object") return this.#text(value, selections);
    const texts: string[] = [];
    if (Array.isArray(value)) {
      for (const item of value) {
        texts.push(yield* this.#textInPieces(item, selections, levels));
        yield;
      }
      return `[${texts.join(",")}]`;
    }
    const object = value as IntrospectionObject;
    for (const field of this.#fieldsOf(object.__typename, selections)) {
      const { prefix, selections: inner } = field;
      const items = memberOf(object, field);
      if (!Array.isArray(items)) texts.push(prefix + this.#text(items, inner));
      else texts.push(prefix + (yield* this.#textInPieces(items, inner, levels - 1)));
    }
    return `{${texts.join(",")}}`;
  }

  #text(value: unknown, selections: Selections): string {
    if (value === null || typeof value !== "object") return JSON.stringify(value);
    if (Array.isArray(value)) {
      let text = "[";
      for (const [index, item] of value.entries()) text += (index === 0 ? "" : ",") + this.#text(item, selections);
      return `${text}]`;
    }
    const object = value as IntrospectionObject;
    let text = "{";
    for (const field of this.#fieldsOf(object.__typename, selections)) {
      const { prefix, name, selections: inner } = field;
      const value = memberOf(object, field);
      text +=
        (text === "{" ? "" : ",") +
        prefix +
        (name === "type" ? this.#reference(value, inner) : this.#text(value, inner));
    }
    return `${text}}`;
  }

  /** The type of a field or argument: most types are referred to many times. */
  #reference(value: unknown, selections: Selections): string {
    if (value === null || typeof value !== "object") return this.#text(value, selections);
    let text = selections.references.get(value);
    if (text === undefined) {
      text = this.#text(value, selections);
      selections.references.set(value, text);
    }
    return text;
  }

  #fieldsOf(type: string, selections: Selections): readonly SelectedField[] {
    let fields = selections.byType.get(type);
    if (fields === undefined) {
      const byKey = new Map<string, FieldNode[]>();
      for (const set of selections.sets) this.#collect(set, type, byKey);
      fields = Array.from(byKey, ([key, nodes]) => ({
        prefix: `${JSON.stringify(key)}:`,
        name: nodes[0]?.name.value ?? "",
        selections: selectionsOf(nodes),
        withoutDeprecated: this.#withoutDeprecated(nodes[0]),
      }));
      selections.byType.set(type, fields);
    }
    return fields;
  }

  #withoutDeprecated(node: FieldNode | undefined): boolean {
    if (node === undefined || !mayBeDeprecated.has(node.name.value)) return false;
    const given = node.arguments?.find((argument) => argument.name.value === "includeDeprecated")?.value;
    return this.#value(given) !== true;
  }

  #collect({ selections }: SelectionSetNode, type: string, byKey: Map<string, FieldNode[]>): void {
    for (const selection of selections) {
      if (!this.#isSelected(selection.directives ?? [])) continue;
      if (selection.kind === Kind.FIELD) {
        const key = selection.alias?.value ?? selection.name.value;
        byKey.set(key, [...(byKey.get(key) ?? []), selection]);
        continue;
      }
      const fragment =
        selection.kind === Kind.FRAGMENT_SPREAD ? this.#operation.fragments.get(selection.name.value) : selection;
      const condition = fragment?.typeCondition?.name.value ?? type;
      if (fragment !== undefined && condition === type) this.#collect(fragment.selectionSet, type, byKey);
    }
  }

  #isSelected(directives: readonly DirectiveNode[]): boolean {
    return directives.every(({ name, arguments: given }) => {
      const condition = this.#value(given?.find((argument) => argument.name.value === "if")?.value);
      if (name.value === "skip") return condition !== true;
      return name.value !== "include" || condition === true;
    });
  }

  #value(node: ValueNode | undefined): unknown {
    switch (node?.kind) {
      case Kind.VARIABLE: {
        const name = node.name.value;
        if (Object.hasOwn(this.#variables, name)) return this.#variables[name];
        return this.#value(this.#operation.variables.get(name)?.defaultValue);
      }
      case Kind.STRING:
      case Kind.BOOLEAN:
        return node.value;
      default:
        return undefined;
    }
  }
}

/** Lists whose items can be deprecated. */
const mayBeDeprecated: ReadonlySet<string> = new Set(["fields", "enumValues", "args", "inputFields"]);

function memberOf(object: IntrospectionObject, { name, withoutDeprecated }: SelectedField): unknown {
  const member = object[name];
  const value: unknown = typeof member === "function" ? member() : member;
  if (!withoutDeprecated || !Array.isArray(value)) return value;
  return value.every(isCurrent) ? value : value.filter(isCurrent);
}

const isCurrent = (item: unknown): boolean => !isObject(item) || item.isDeprecated !== true;

function selectionsOf(nodes: readonly FieldNode[]): Selections {
  return new Selections(nodes.flatMap(({ selectionSet }) => (selectionSet === undefined ? [] : [selectionSet])));
}
