/** Introspection as JSON text: what was selected of a role's schema, one type after the other. */
import type { FieldNode } from "graphql";
import type { Operation } from "../model/planner/request/document.ts";
import { eachType, type RootField, type TypeDef } from "../model/schema/reachable-types.ts";
import type { RoleSchema } from "../model/schema/role-schema.ts";
import type { ObjectTypeDef } from "../model/schema/types.ts";
import { type Interruptible, sorted } from "../values/interruptible.ts";
import {
  type DescribedType,
  fieldKind,
  isDeprecated,
  languageTypes,
  type NamedField,
  schemaKind,
  typeKind,
} from "./introspection-objects.ts";
import { type SelectedMember, Selection } from "./introspection-selection.ts";
import { appendPart, OrderedTexts, type TextPart, WaitingTexts } from "./waiting-texts.ts";

/** Items of a list that are written at once. */
const itemsAtOnce = 16;

/** The text of one introspection field's answer. */
export class IntrospectionText {
  readonly #selection: Selection;

  /** @param nodes of the field */
  constructor(nodes: readonly FieldNode[], operation: Operation, variables: Readonly<Record<string, unknown>>) {
    this.#selection = new Selection(nodes, { operation, variables });
  }

  /**
   * Of `__schema`. Types are written as they are met, and put in the order of their names as texts.
   * @param schema that keeps few types: there may be more than memory has room for
   */
  *ofSchema(schema: RoleSchema): Interruptible<OrderedTexts> {
    const members = this.#selection.membersOf(schemaKind);
    const lists = new Map(
      members.filter(({ name }) => name === "types").map((member) => [member, new TypeList(member.selected, schema)]),
    );
    if (lists.size > 0) yield* writeTypes(schema, [...lists.values()]);
    const texts = new OrderedTexts();
    for (const member of members) {
      texts.addText(member.prefix);
      const types = lists.get(member);
      if (types === undefined) texts.addText(member.writer.text(schema));
      else yield* types.giveTo(texts);
    }
    texts.addText(members.length === 0 ? "{}" : "}");
    return texts;
  }

  /** Of `__type`. @param type `null`: there is none of the name */
  *ofType(type: TypeDef | null): Interruptible<string> {
    if (type === null) return "null";
    let text = "";
    for (const part of textsOf(this.#selection.membersOf(typeKind), type)) {
      text += part;
      yield;
    }
    return text;
  }

  /** The value of an argument. */
  argument(name: string): unknown {
    return this.#selection.argument(name);
  }
}

/** The text of a type, in parts that follow each other: one that stands for a namespace has thousands of fields. */
function* textsOf(members: readonly SelectedMember<DescribedType>[], type: TypeDef): Iterable<string> {
  let text = "";
  for (const { prefix, writer } of members) {
    text += prefix;
    const { list } = writer;
    const items = list?.itemsOf(type) ?? null;
    if (list === undefined || items === null) {
      text += writer.text(type);
      continue;
    }
    let written = 0;
    for (const item of items) {
      const itemText = list.itemText(item);
      if (itemText === "") continue;
      text += (written === 0 ? "[" : ",") + itemText;
      written++;
      if (written % itemsAtOnce > 0) continue;
      yield text;
      text = "";
    }
    text += written === 0 ? "[]" : "]";
  }
  yield members.length === 0 ? "{}" : `${text}}`;
}

function* writeTypes(schema: RoleSchema, lists: readonly TypeList[]): Interruptible<void> {
  for (const type of languageTypes().values()) for (const list of lists) yield* list.add(type);
  for (const met of eachType(schema)) {
    if (met?.kind === "root_field") for (const list of lists) list.addRootField(met);
    else if (met !== undefined && !languageTypes().has(met.name)) for (const list of lists) yield* list.add(met);
    yield;
  }
}

interface ListedType {
  readonly name: string;
  /** Of its text, which begins with a comma. */
  readonly parts: readonly TextPart[];
}

/** The texts of types as they are met, and a list of them once all are there. */
class TypeList {
  readonly #members: readonly SelectedMember<DescribedType>[];
  readonly #texts = new WaitingTexts();
  /** In the order in which they are met. */
  readonly #types: ListedType[] = [];
  readonly #roots: ReadonlyMap<string, RootText>;

  constructor(selected: Selection, { query, mutation, subscription }: RoleSchema) {
    this.#members = selected.membersOf(typeKind);
    const roots = [query, mutation, subscription].filter((root) => root !== null);
    this.#roots = new Map(roots.map((root) => [root.name, new RootText(root, this.#members)]));
  }

  /** @param type that is no root, and of no name that was added */
  *add(type: TypeDef): Interruptible<void> {
    const parts: TextPart[] = [];
    let before = ",";
    for (const text of textsOf(this.#members, type)) {
      appendPart(parts, this.#texts.add(before + text));
      before = "";
      yield;
    }
    this.#types.push({ name: type.name, parts });
  }

  addRootField(met: RootField): void {
    this.#roots.get(met.root.name)?.add(met);
  }

  *giveTo(texts: OrderedTexts): Interruptible<void> {
    const roots = Array.from(this.#roots.values(), (root) => ({ name: root.name, root }));
    const types = yield* sorted([...this.#types, ...roots], ({ name }) => name);
    texts.addText("[");
    for (const [i, type] of types.entries()) {
      if ("root" in type) type.root.giveTo(texts, i === 0 ? "" : ",");
      else addParts(texts, type.parts, i === 0);
      yield;
    }
    texts.addText("]");
  }
}

/** The text of a root type, whose fields are written as they are met. */
class RootText {
  readonly #root: ObjectTypeDef;
  readonly #members: readonly SelectedMember<DescribedType>[];
  readonly #lists: ReadonlyMap<SelectedMember<DescribedType>, FieldList>;

  constructor(root: ObjectTypeDef, members: readonly SelectedMember<DescribedType>[]) {
    this.#root = root;
    this.#members = members;
    const lists = members.filter(({ name }) => name === "fields");
    this.#lists = new Map(lists.map((member) => [member, new FieldList(member.selected)]));
  }

  get name(): string {
    return this.#root.name;
  }

  add({ name, field }: RootField): void {
    for (const list of this.#lists.values()) list.add([name, field]);
  }

  giveTo(texts: OrderedTexts, before: string): void {
    texts.addText(before);
    for (const member of this.#members) {
      texts.addText(member.prefix);
      const list = this.#lists.get(member);
      if (list === undefined) texts.addText(member.writer.text(this.#root));
      else list.giveTo(texts);
    }
    texts.addText(this.#members.length === 0 ? "{}" : "}");
  }
}

class FieldList {
  readonly #write: (field: NamedField) => string;
  readonly #withoutDeprecated: boolean;
  readonly #texts = new WaitingTexts();
  /** The texts of the fields, each with a comma before it. */
  readonly #fields: TextPart[] = [];

  constructor(selected: Selection) {
    this.#write = selected.writer(fieldKind);
    this.#withoutDeprecated = selected.withoutDeprecated;
  }

  add(field: NamedField): void {
    if (this.#withoutDeprecated && isDeprecated(field)) return;
    appendPart(this.#fields, this.#texts.add(`,${this.#write(field)}`));
  }

  giveTo(texts: OrderedTexts): void {
    texts.addText("[");
    addParts(texts, this.#fields, true);
    texts.addText("]");
  }
}

/** @param isFirst in its list: without the comma that it begins with */
function addParts(texts: OrderedTexts, parts: readonly TextPart[], isFirst: boolean): void {
  for (const [i, part] of parts.entries()) {
    texts.add(isFirst && i === 0 ? { ...part, start: part.start + 1 } : part);
  }
}
