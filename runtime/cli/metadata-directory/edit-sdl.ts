/** Changes definitions in the text of `actions.graphql`; the others keep their text. */
import {
  type ASTNode,
  type DefinitionNode,
  type FieldDefinitionNode,
  Kind,
  type ObjectTypeDefinitionNode,
  type ObjectTypeExtensionNode,
  parse,
  print,
} from "graphql";
import { actionRoots, type CustomTypeList } from "../../metadata-text/sdl-values.ts";
import { type ActionField, rootType } from "../../metadata-text/split-actions.ts";
import { firstLine, indented, Lines, lineAfter, type Splice, spliced } from "./text-edits.ts";

const listOfKind: Partial<Readonly<Record<Kind, CustomTypeList>>> = {
  [Kind.INPUT_OBJECT_TYPE_DEFINITION]: "input_objects",
  [Kind.OBJECT_TYPE_DEFINITION]: "objects",
  [Kind.SCALAR_TYPE_DEFINITION]: "scalars",
  [Kind.ENUM_TYPE_DEFINITION]: "enums",
};

const typeKey = (list: CustomTypeList, name: string): string => `${list} ${name}`;

type RootType = ObjectTypeDefinitionNode | ObjectTypeExtensionNode;

export class SdlEdit {
  readonly #text: string;
  readonly #lineBreak: string;
  readonly #roots: readonly RootType[];
  /** By list and name. */
  readonly #types: ReadonlyMap<string, DefinitionNode>;
  /** New fields by the name of the action; `undefined` for removed ones. */
  readonly #fields = new Map<string, ActionField | undefined>();
  /** New definitions by list and name; `undefined` for removed ones. */
  readonly #definitions = new Map<string, DefinitionNode | undefined>();

  /** @param text valid SDL, or only comments */
  constructor(text: string) {
    this.#text = text;
    this.#lineBreak = text.includes("\r\n") ? "\r\n" : "\n";
    const definitions = /^\s*[^\s#]/m.test(text) ? parse(text).definitions : [];
    this.#roots = definitions.filter(isRoot);
    this.#types = new Map(
      definitions.flatMap((node): [string, DefinitionNode][] => {
        const list = isRoot(node) ? undefined : listOfKind[node.kind];
        return list === undefined || !("name" in node) ? [] : [[typeKey(list, String(node.name?.value)), node]];
      }),
    );
  }

  /** Returns the field of an action, if the text has it. */
  field(action: string): FieldDefinitionNode | undefined {
    return this.#roots.flatMap(({ fields = [] }) => fields).find(({ name }) => name.value === action);
  }

  hasType(list: CustomTypeList, name: string): boolean {
    return this.#types.has(typeKey(list, name));
  }

  setField(action: string, field: ActionField | undefined): void {
    this.#fields.set(action, field);
  }

  setType(list: CustomTypeList, name: string, definition: DefinitionNode | undefined): void {
    this.#definitions.set(typeKey(list, name), definition);
  }

  get isChanged(): boolean {
    return this.#fields.size + this.#definitions.size > 0;
  }

  /** The text with all changes. */
  get text(): string {
    const splices: Splice[] = [];
    const added: DefinitionNode[] = [];
    const placed = new Set<string>();
    for (const root of this.#roots) {
      const type = actionRoots[root.name.value];
      const isFirst = this.#roots.find(({ name }) => name.value === root.name.value) === root;
      const own = (root.fields ?? []).map(({ name }) => name.value);
      const appended = [...this.#fields].flatMap(([name, field]) =>
        isFirst && field !== undefined && field.type === type && !this.#isIn(name, type) ? [field.field] : [],
      );
      for (const { name } of appended) placed.add(name.value);
      if (appended.length > 0 || own.some((name) => this.#fields.has(name))) {
        splices.push(...this.#rootSplices(root, appended));
      }
    }
    for (const [root, type] of Object.entries(actionRoots)) {
      const fields = [...this.#fields].flatMap(([name, field]) =>
        field?.type === type && !placed.has(name) && !this.#isIn(name, type) ? [field.field] : [],
      );
      added.push(...rootType(root, fields));
    }
    for (const [key, definition] of this.#definitions) {
      const present = this.#types.get(key);
      if (present === undefined) added.push(...(definition === undefined ? [] : [definition]));
      else splices.push(definition === undefined ? this.#removal(present) : this.#replacement(present, definition));
    }
    const changed = spliced(this.#text, splices);
    const more = added.map((definition) => this.#printed(definition, 0)).join(this.#lineBreak.repeat(2));
    if (more === "") return changed;
    const start = changed.trim() === "" ? changed : changed.replace(/\s*$/, this.#lineBreak.repeat(2));
    return `${start}${more}${this.#lineBreak}`;
  }

  #isIn(action: string, type: string | undefined): boolean {
    return this.#roots.some(
      ({ name, fields = [] }) => actionRoots[name.value] === type && fields.some((each) => each.name.value === action),
    );
  }

  #rootSplices(root: RootType, appended: readonly FieldDefinitionNode[]): readonly Splice[] {
    const type = actionRoots[root.name.value];
    const present = root.fields ?? [];
    const kept = present.flatMap((field) => {
      if (!this.#fields.has(field.name.value)) return [field];
      const next = this.#fields.get(field.name.value);
      return next !== undefined && next.type === type ? [next.field] : [];
    });
    const fields = [...kept, ...appended];
    if (fields.length === 0) return [this.#removal(root)];
    const lines = new Lines(this.#text);
    const isOnOwnLines = (node: ASTNode): boolean => {
      const { start, end } = extent(node);
      return lines.isFirst(start) && /^[\s,]*(?:#.*)?$/.test(this.#text.slice(end, lines.end(end)));
    };
    const brace = extent(root).end - 1;
    if (!present.every(isOnOwnLines) || !lines.isFirst(brace)) {
      return [this.#replacement(root, { ...root, fields })];
    }
    const splices = present.flatMap((field) => {
      if (!this.#fields.has(field.name.value)) return [];
      const next = this.#fields.get(field.name.value);
      return next !== undefined && next.type === type ? this.#replacement(field, next.field) : this.#removal(field);
    });
    const column = present[0] === undefined ? 2 : lines.column(extent(present[0]).start);
    const text = appended
      .map((field) => `${" ".repeat(column)}${this.#printed(field, column)}${this.#lineBreak}`)
      .join("");
    const at = lines.start(brace);
    return text === "" ? splices : [...splices, { from: at, to: at, text }];
  }

  #replacement(node: ASTNode, next: ASTNode): Splice {
    const { start, end } = extent(node);
    return { from: start, to: end, text: this.#printed(next, new Lines(this.#text).column(start)) };
  }

  /** Removes a definition with the comments above it and an empty line below. */
  #removal(node: ASTNode): Splice {
    const lines = new Lines(this.#text);
    const { start, end } = extent(node);
    const after = lineAfter(this.#text, lines, end, lines.column(start));
    const isDefinition = node.kind !== Kind.FIELD_DEFINITION;
    const to = isDefinition && after < this.#text.length && lines.isBlank(after) ? lines.next(after) : after;
    return { from: firstLine(lines, start), to, text: "" };
  }

  /** @param column of the first line, which the text does not contain */
  #printed(node: ASTNode, column: number): string {
    return print(node)
      .split("\n")
      .map((line, index) => (index === 0 ? line : indented(line, column)))
      .join(this.#lineBreak);
  }
}

function isRoot(node: DefinitionNode): node is RootType {
  return (
    (node.kind === Kind.OBJECT_TYPE_DEFINITION || node.kind === Kind.OBJECT_TYPE_EXTENSION) &&
    Object.hasOwn(actionRoots, node.name.value)
  );
}

function extent({ loc }: ASTNode): { readonly start: number; readonly end: number } {
  if (loc === undefined) throw new Error("invariant: a parsed definition has no place");
  return loc;
}
