/** The selection of an introspection query, compiled into writers for each kind of object. */
import { type DirectiveNode, type FieldNode, Kind, type SelectionSetNode, type ValueNode } from "graphql";
import type { Operation } from "../model/planner/request/document.ts";

/** Writes one field of objects of one kind as JSON text. */
export interface Writer<T> {
  text(object: T): string;
  /** Writes the items of a list one by one, so that long lists can be interrupted; absent for other fields. */
  readonly list?: ListWriter<T>;
}

export interface ListWriter<T, Item = unknown> {
  /** Returns the items; `null` if the field is null. */
  itemsOf(object: T): Iterable<Item> | null;
  /** Returns the text of an item; `""` to omit it. */
  itemText(item: Item): string;
}

export interface ObjectKind<T> {
  readonly typename: string;
  readonly members: Readonly<Record<string, (selected: Selection) => Writer<T>>>;
}

export interface SelectedMember<T> {
  readonly name: string;
  /** Text before the value: `{"key":` for the first field, `,"key":` for all other fields. */
  readonly prefix: string;
  readonly writer: Writer<T>;
  /** The selection of the field itself. */
  readonly selected: Selection;
}

interface Request {
  readonly operation: Operation;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** The merged selection sets of one field in the response. */
export class Selection {
  /** True if deprecated items of the list are omitted. */
  readonly withoutDeprecated: boolean;
  readonly #nodes: readonly FieldNode[];
  readonly #request: Request;
  /** Fields by kind of object, compiled on first use. */
  readonly #members = new Map<ObjectKind<never>, readonly SelectedMember<never>[]>();

  /** @param nodes all selections of the field in the document */
  constructor(nodes: readonly FieldNode[], request: Request) {
    this.#nodes = nodes;
    this.#request = request;
    this.withoutDeprecated = valueIn(argumentOf(nodes[0], "includeDeprecated"), request) !== true;
  }

  argument(name: string): unknown {
    return valueIn(argumentOf(this.#nodes[0], name), this.#request);
  }

  /** Returns the selected fields for objects of a kind. */
  membersOf<T>(kind: ObjectKind<T>): readonly SelectedMember<T>[] {
    let members = this.#members.get(kind) as readonly SelectedMember<T>[] | undefined;
    if (members === undefined) {
      const byKey = new Map<string, FieldNode[]>();
      for (const { selectionSet } of this.#nodes) if (selectionSet) this.#collect(selectionSet, kind.typename, byKey);
      members = Array.from(byKey, ([key, nodes], i) => this.#member(kind, key, nodes, i === 0 ? "{" : ","));
      this.#members.set(kind, members);
    }
    return members;
  }

  /** Returns a function that writes an object as JSON text. */
  writer<T>(kind: ObjectKind<T>): (object: T) => string {
    let members: readonly SelectedMember<T>[] | undefined;
    return (object) => {
      members ??= this.membersOf(kind);
      let text = "";
      for (const { prefix, writer } of members) text += prefix + writer.text(object);
      return text === "" ? "{}" : `${text}}`;
    };
  }

  #member<T>(kind: ObjectKind<T>, key: string, nodes: readonly FieldNode[], before: string): SelectedMember<T> {
    const name = nodes[0]?.name.value ?? key;
    const selected = new Selection(nodes, this.#request);
    const make = Object.hasOwn(kind.members, name) ? kind.members[name] : undefined;
    const constant = name === "__typename" ? JSON.stringify(kind.typename) : "null";
    const writer = make?.(selected) ?? { text: () => constant };
    return { name, prefix: `${before}${JSON.stringify(key)}:`, writer, selected };
  }

  #collect({ selections }: SelectionSetNode, type: string, byKey: Map<string, FieldNode[]>): void {
    for (const selection of selections) {
      if (!this.#isSelected(selection.directives ?? [])) continue;
      if (selection.kind === Kind.FIELD) {
        const key = selection.alias?.value ?? selection.name.value;
        byKey.set(key, [...(byKey.get(key) ?? []), selection]);
        continue;
      }
      const { fragments } = this.#request.operation;
      const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value) : selection;
      const condition = fragment?.typeCondition?.name.value ?? type;
      if (fragment !== undefined && condition === type) this.#collect(fragment.selectionSet, type, byKey);
    }
  }

  #isSelected(directives: readonly DirectiveNode[]): boolean {
    return directives.every((directive) => {
      const name = directive.name.value;
      const condition = valueIn(argumentOf(directive, "if"), this.#request);
      if (name === "skip") return condition !== true;
      return name !== "include" || condition === true;
    });
  }
}

function argumentOf(node: FieldNode | DirectiveNode | undefined, name: string): ValueNode | undefined {
  return node?.arguments?.find((argument) => argument.name.value === name)?.value;
}

function valueIn(node: ValueNode | undefined, request: Request): unknown {
  switch (node?.kind) {
    case Kind.VARIABLE: {
      const name = node.name.value;
      if (Object.hasOwn(request.variables, name)) return request.variables[name];
      return valueIn(request.operation.variables.get(name)?.defaultValue, request);
    }
    case Kind.STRING:
    case Kind.BOOLEAN:
      return node.value;
    default:
      return undefined;
  }
}
