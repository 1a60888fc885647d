/** What a request selects of the objects of introspection, and how each kind of object becomes text by it. */
import { type DirectiveNode, type FieldNode, Kind, type SelectionSetNode, type ValueNode } from "graphql";
import type { Operation } from "../model/planner/request/document.ts";

/** Makes JSON text of objects of one kind. */
export interface Writer<T> {
  text(object: T): string;
  /** Of a list: writes its items one by one, so that a long one can be interrupted. */
  readonly list?: ListWriter<T>;
}

export interface ListWriter<T, Item = unknown> {
  /** `null`: there is no list. */
  itemsOf(object: T): Iterable<Item> | null;
  /** `""`: it is left out. */
  itemText(item: Item): string;
}

/** What can be selected of objects, each with how it is written by what is selected of it. */
export interface ObjectKind<T> {
  readonly typename: string;
  readonly members: Readonly<Record<string, (selected: Selection) => Writer<T>>>;
}

/** A member that is selected of an object. */
export interface SelectedMember<T> {
  readonly name: string;
  /** What stands before it: `{"key":` of the first one, `,"key":` of others. */
  readonly prefix: string;
  readonly writer: Writer<T>;
  /** What is selected of it. */
  readonly selected: Selection;
}

interface Request {
  readonly operation: Operation;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** The selection sets of one place of an answer. */
export class Selection {
  /** Of a list whose items can be deprecated: those that are, are left out. */
  readonly withoutDeprecated: boolean;
  readonly #nodes: readonly FieldNode[];
  readonly #request: Request;
  /** By kind: writers are made once, with the first object of the kind that stands here. */
  readonly #members = new Map<ObjectKind<never>, readonly SelectedMember<never>[]>();

  /** @param nodes of one field of an answer */
  constructor(nodes: readonly FieldNode[], request: Request) {
    this.#nodes = nodes;
    this.#request = request;
    this.withoutDeprecated = valueIn(argumentOf(nodes[0], "includeDeprecated"), request) !== true;
  }

  /** The value of an argument. */
  argument(name: string): unknown {
    return valueIn(argumentOf(this.#nodes[0], name), this.#request);
  }

  /** What is selected of objects of a kind. */
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

  /** Makes text of an object. */
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
