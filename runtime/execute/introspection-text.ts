/** Encodes the selected parts of a role's schema as JSON text, one type at a time. */
import type { FieldNode } from "graphql";
import type { Operation } from "../model/planner/request/document.ts";
import { eachType, type RootField, type TypeDef } from "../model/schema/reachable-types.ts";
import type { RoleSchema } from "../model/schema/role-schema.ts";
import type { ObjectTypeDef } from "../model/schema/types.ts";
import { type Interruptible, sorted } from "../values/interruptible.ts";
import {
  builtInTypes,
  type DescribedType,
  fieldKind,
  isDeprecated,
  type NamedField,
  schemaKind,
  typeKind,
} from "./introspection-objects.ts";
import { type SelectedMember, Selection } from "./introspection-selection.ts";
import { appendPart, OrderedTexts, type TextPart, UnsortedTexts } from "./unsorted-texts.ts";

/** Number of list items to write before yielding. */
const itemsPerStep = 16;

/** Writes the result of one introspection field. */
export class IntrospectionWriter {
  readonly #selection: Selection;

  /** @param nodes all selections of the field */
  constructor(nodes: readonly FieldNode[], operation: Operation, variables: Readonly<Record<string, unknown>>) {
    this.#selection = new Selection(nodes, { operation, variables });
  }

  /**
   * Writes `__schema`. Types are written during traversal, and their texts are sorted by name afterwards.
   * @param schema a copy that caches few types, because all types together may exceed the available memory
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
      else yield* types.appendTo(texts);
    }
    texts.addText(members.length === 0 ? "{}" : "}");
    return texts;
  }

  /**
   * Writes `__type`.
   * @param type `null` if no type has the name
   */
  *ofType(type: TypeDef | null): Interruptible<string> {
    if (type === null) return "null";
    let text = "";
    for (const part of textsOf(this.#selection.membersOf(typeKind), type)) {
      text += part;
      yield;
    }
    return text;
  }

  argument(name: string): unknown {
    return this.#selection.argument(name);
  }
}

/** Yields the text of a type in consecutive parts, because namespace types can have thousands of fields. */
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
      if (written % itemsPerStep > 0) continue;
      yield text;
      text = "";
    }
    text += written === 0 ? "[]" : "]";
  }
  yield members.length === 0 ? "{}" : `${text}}`;
}

function* writeTypes(schema: RoleSchema, lists: readonly TypeList[]): Interruptible<void> {
  for (const type of builtInTypes().values()) for (const list of lists) yield* list.add(type);
  for (const type of eachType(schema)) {
    if (type?.kind === "root_field") for (const list of lists) list.addRootField(type);
    else if (type !== undefined && !builtInTypes().has(type.name)) for (const list of lists) yield* list.add(type);
    yield;
  }
}

interface ListedType {
  readonly name: string;
  /** Parts of the type's text, which starts with a comma. */
  readonly parts: readonly TextPart[];
}

/** Collects the texts of types during traversal, and writes them as a sorted list. */
class TypeList {
  readonly #members: readonly SelectedMember<DescribedType>[];
  readonly #texts = new UnsortedTexts();
  readonly #types: ListedType[] = [];
  readonly #roots: ReadonlyMap<string, RootText>;

  constructor(selected: Selection, { query, mutation, subscription }: RoleSchema) {
    this.#members = selected.membersOf(typeKind);
    const roots = [query, mutation, subscription].filter((root) => root !== null);
    this.#roots = new Map(roots.map((root) => [root.name, new RootText(root, this.#members)]));
  }

  /**
   * Writes a type.
   * @param type not a root type, and not added before
   */
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

  addRootField(type: RootField): void {
    this.#roots.get(type.root.name)?.add(type);
  }

  *appendTo(texts: OrderedTexts): Interruptible<void> {
    const roots = Array.from(this.#roots.values(), (root) => ({ name: root.name, root }));
    const types = yield* sorted([...this.#types, ...roots], ({ name }) => name);
    texts.addText("[");
    for (const [i, type] of types.entries()) {
      if ("root" in type) type.root.appendTo(texts, i === 0 ? "" : ",");
      else addParts(texts, type.parts, i === 0);
      yield;
    }
    texts.addText("]");
  }
}

/** The text of a root type, whose fields are written during traversal. */
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

  appendTo(texts: OrderedTexts, before: string): void {
    texts.addText(before);
    for (const member of this.#members) {
      texts.addText(member.prefix);
      const list = this.#lists.get(member);
      if (list === undefined) texts.addText(member.writer.text(this.#root));
      else list.appendTo(texts);
    }
    texts.addText(this.#members.length === 0 ? "{}" : "}");
  }
}

class FieldList {
  readonly #write: (field: NamedField) => string;
  readonly #withoutDeprecated: boolean;
  readonly #texts = new UnsortedTexts();
  /** Texts of the fields, each with a leading comma. */
  readonly #fields: TextPart[] = [];

  constructor(selected: Selection) {
    this.#write = selected.writer(fieldKind);
    this.#withoutDeprecated = selected.withoutDeprecated;
  }

  add(field: NamedField): void {
    if (this.#withoutDeprecated && isDeprecated(field)) return;
    appendPart(this.#fields, this.#texts.add(`,${this.#write(field)}`));
  }

  appendTo(texts: OrderedTexts): void {
    texts.addText("[");
    addParts(texts, this.#fields, true);
    texts.addText("]");
  }
}

/**
 * Adds a text.
 * @param isFirst true to omit the leading comma
 */
function addParts(texts: OrderedTexts, parts: readonly TextPart[], isFirst: boolean): void {
  for (const [i, part] of parts.entries()) {
    texts.add(isFirst && i === 0 ? { ...part, start: part.start + 1 } : part);
  }
}
