/** Introspection as JSON text: what was selected of a role's schema, one type after the other. */
import { type DirectiveNode, type FieldNode, Kind, type SelectionSetNode, type ValueNode } from "graphql";
import type { Operation } from "../planner/request/document.ts";
import type { RoleSchema } from "../schema/role-schema.ts";
import type { Interruptible } from "../values/interruptible.ts";
import { describedTypes, type IntrospectionObject, schemaObject, TypeReference } from "./introspection-objects.ts";

/** Texts of references that are kept for one place of an answer. */
const referencesKept = 10_000;

/** Lists up to this length are written at once. */
const shortList = 50;

/** In characters: pieces of an answer are about as long. */
const pieceLength = 64 * 1024;

/** Short texts put together to pieces that follow each other. */
class Pieces {
  readonly #pieces: string[] = [];
  #waiting: string[] = [];
  #length = 0;

  add(text: string): void {
    this.#waiting.push(text);
    this.#length += text.length;
    if (this.#length >= pieceLength) this.#join();
  }

  /** All of them. */
  end(): readonly string[] {
    this.#join();
    return this.#pieces;
  }

  #join(): void {
    if (this.#waiting.length === 0) return;
    this.#pieces.push(this.#waiting.join(""));
    this.#waiting = [];
    this.#length = 0;
  }
}

/** The texts of the items of a list, in the order of their names once all are there. */
class TextsByName {
  readonly #texts = new Map<string, string>();

  /** @param name of no other one */
  add(name: string, text: string): void {
    this.#texts.set(name, text);
  }

  /** The list, of which nothing is kept. */
  *giveTo(pieces: Pieces): Interruptible<void> {
    const names = [...this.#texts.keys()].sort();
    for (const [i, name] of names.entries()) {
      pieces.add((i === 0 ? "[" : ",") + this.#texts.get(name));
      this.#texts.delete(name);
      yield;
    }
    pieces.add(names.length === 0 ? "[]" : "]");
  }
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
  /** The texts of types that were referred to here, by the key of the reference. */
  readonly references = new Map<string, string>();

  constructor(sets: readonly SelectionSetNode[]) {
    this.sets = sets;
  }
}

/** The text of one introspection field's answer. */
export class IntrospectionText {
  readonly #operation: Operation;
  readonly #variables: Readonly<Record<string, unknown>>;

  constructor(operation: Operation, variables: Readonly<Record<string, unknown>>) {
    this.#operation = operation;
    this.#variables = variables;
  }

  /**
   * Of `__schema`, in pieces that follow each other. Types are written as they are met, and put in the order of their
   * names as texts.
   * @param schema that keeps no types: there may be more than memory has room for
   */
  *ofSchema(schema: RoleSchema, nodes: readonly FieldNode[]): Interruptible<readonly string[]> {
    const fields = this.#fieldsOf("__Schema", selectionsOf(nodes));
    const lists = fields.filter(({ name }) => name === "types").map((field) => ({ field, types: new TextsByName() }));
    if (lists.length > 0) yield* this.#writeTypes(schema, lists);
    const pieces = new Pieces();
    const object = schemaObject(schema);
    for (const [i, field] of fields.entries()) {
      pieces.add((i === 0 ? "{" : ",") + field.prefix);
      const list = lists.find((each) => each.field === field);
      if (list !== undefined) yield* list.types.giveTo(pieces);
      else pieces.add(yield* this.#textInPieces(memberOf(object, field), field.selections));
    }
    pieces.add(fields.length === 0 ? "{}" : "}");
    return pieces.end();
  }

  /** Of `__type`. @param type `null`: there is none of the name */
  *ofType(type: IntrospectionObject | null, nodes: readonly FieldNode[]): Interruptible<string> {
    return yield* this.#textInPieces(type, selectionsOf(nodes));
  }

  /** The value of an argument. */
  argument(node: FieldNode, name: string): unknown {
    return this.#value(node.arguments?.find((argument) => argument.name.value === name)?.value);
  }

  *#writeTypes(
    schema: RoleSchema,
    lists: readonly { readonly field: SelectedField; readonly types: TextsByName }[],
  ): Interruptible<void> {
    for (const described of describedTypes(schema)) {
      if (described === undefined) {
        yield;
        continue;
      }
      const { name, type } = described;
      for (const { field, types } of lists) types.add(name, yield* this.#textInPieces(type, field.selections));
      yield;
    }
  }

  /** As `#text`, with interruptions between the items of long lists: a root type has thousands of fields. */
  *#textInPieces(value: unknown, selections: Selections): Interruptible<string> {
    if (value === null || typeof value !== "object" || Array.isArray(value)) return this.#text(value, selections);
    const object = value as IntrospectionObject;
    const texts: string[] = [];
    for (const field of this.#fieldsOf(object.__typename, selections)) {
      const { prefix, selections: inner } = field;
      const member = memberOf(object, field);
      const isLong = Array.isArray(member) && member.length > shortList;
      texts.push(prefix + (isLong ? yield* this.#listInPieces(member, inner) : this.#text(member, inner)));
    }
    return `{${texts.join(",")}}`;
  }

  *#listInPieces(items: readonly unknown[], selections: Selections): Interruptible<string> {
    const texts: string[] = [];
    for (const item of items) {
      texts.push(this.#text(item, selections));
      yield;
    }
    return `[${texts.join(",")}]`;
  }

  #text(value: unknown, selections: Selections): string {
    if (value === null) return "null";
    if (typeof value !== "object") return typeof value === "boolean" ? String(value) : JSON.stringify(value);
    if (value instanceof TypeReference) return this.#reference(value, selections);
    if (Array.isArray(value)) {
      let text = "[";
      for (const [index, item] of value.entries()) text += (index === 0 ? "" : ",") + this.#text(item, selections);
      return `${text}]`;
    }
    const object = value as IntrospectionObject;
    let text = "{";
    for (const field of this.#fieldsOf(object.__typename, selections)) {
      text += (text === "{" ? "" : ",") + field.prefix + this.#text(memberOf(object, field), field.selections);
    }
    return `${text}}`;
  }

  /** The type of a field or argument: most types are referred to many times. */
  #reference(reference: TypeReference, selections: Selections): string {
    const { key } = reference;
    const { references } = selections;
    let text = references.get(key);
    if (text === undefined) {
      text = this.#text(reference.object(), selections);
      // Types refer to those of the same table mostly.
      if (references.size >= referencesKept) references.clear();
      references.set(key, text);
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

function memberOf(
  object: IntrospectionObject,
  { name, withoutDeprecated }: Pick<SelectedField, "name" | "withoutDeprecated">,
): unknown {
  const member = (object as unknown as Readonly<Record<string, unknown>>)[name];
  const value: unknown = typeof member === "function" ? member.call(object) : member;
  if (!withoutDeprecated || !Array.isArray(value)) return value;
  return value.every(isCurrent) ? value : value.filter(isCurrent);
}

const isCurrent = (item: IntrospectionObject): boolean => memberOf(item, isDeprecated) !== true;

const isDeprecated = { name: "isDeprecated", withoutDeprecated: false };

function selectionsOf(nodes: readonly FieldNode[]): Selections {
  return new Selections(nodes.flatMap(({ selectionSet }) => (selectionSet === undefined ? [] : [selectionSet])));
}
