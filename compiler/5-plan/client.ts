/**
 * Emits TypeScript for client programs: operations as typed documents, with types of variables, results and fragments.
 * GraphQL clients that support `TypedDocumentNode` accept the documents directly.
 */
import {
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isInputType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredInputField,
  isUnionType,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  type SelectionSetNode,
  typeFromAST,
  visit,
} from "graphql";
import { builtInType, extensionType } from "../../runtime/model/dialects/postgres/scalars.ts";
import type { SavedQuery } from "../2-analyze/analysis.ts";
import { operationOf } from "../2-analyze/saved-operations.ts";
import { docComment, headerText } from "../4-emit/comments.ts";
import { propertyKey, stringLiteral, templateLines } from "../4-emit/escape.ts";
import { identifier } from "../4-emit/identifiers.ts";
import { textHash } from "../4-emit/manifest.ts";

export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

export interface ClientOperation {
  /** Names the document and its types. */
  readonly name: string;
  readonly definition: OperationDefinitionNode;
  /** Contains at least the fragments that the operation uses. */
  readonly fragments: Fragments;
  /** Describes the operation in comments: `query book of collection library`. */
  readonly label: string;
}

/** A fragment whose type is exported. */
export interface ClientFragment {
  readonly definition: FragmentDefinitionNode;
  readonly fragments: Fragments;
  readonly label: string;
}

export interface ClientInput {
  /** Origin of the operations, for the header. */
  readonly from: string;
  /** Contains all types that the operations use; unknown fields are left out. */
  readonly schema: GraphQLSchema;
  readonly operations: readonly ClientOperation[];
  readonly fragments: readonly ClientFragment[];
}

/** Form of the documents: syntax trees of graphql-js, or texts. */
export type DocumentMode = "documentNode" | "string";

export interface ClientSettings {
  /** True if numbers that JavaScript would round are strings (`ENGINE_GRAPHQL_STRINGIFY_NUMERIC_TYPES`). */
  readonly stringifyNumbers: boolean;
  readonly documentMode: DocumentMode;
  /** TypeScript types of scalars, by GraphQL name. They override the built-in ones. */
  readonly scalars: ReadonlyMap<string, string>;
}

export function emitClient({ from, schema, operations, fragments }: ClientInput, settings: ClientSettings): string {
  const names = new Names();
  // All documents are named first, so that the names of input types depend on them and not the reverse.
  const namedOperations = operations.map((operation) => ({
    operation,
    name: names.unique(operation.name, ["Variables", "Result", "Document"]),
  }));
  const namedFragments = fragments.map((fragment) => ({
    fragment,
    name: names.unique(fragment.definition.name.value, ["Fragment"]),
  }));
  const writer = new ClientWriter(schema, settings, names);
  const body = [
    documentTypes[settings.documentMode],
    ...namedFragments.map(({ fragment, name }) => writer.fragment(fragment, name)),
    ...namedOperations.map(({ operation, name }) => writer.operation(operation, name)),
    ...writer.types(),
  ].join("\n");
  return headerText("//", { from, slice: textHash(body).slice(0, 8) }) + body;
}

/** Returns a saved operation under its own name, or the name of its entry in the collection. */
export function clientOperationOf(saved: SavedQuery): ClientOperation {
  const { definition, fragments } = operationOf(saved);
  const { collection, name } = saved;
  const label = `${definition.operation} ${name} of collection ${collection}`;
  return { name: definition.name?.value ?? name, definition, fragments, label };
}

/** The types of documents. Clients infer variables and result from the member `__apiType`, which has no value. */
const documentTypes: Readonly<Record<DocumentMode, string>> = {
  documentNode: `import type { DocumentNode } from "graphql";

/** A document with the types of its result and variables. */
export interface TypedDocumentNode<Result, Variables> extends DocumentNode {
  readonly __apiType?: (variables: Variables) => Result;
}
`,
  string: `/** The text of an operation with the types of its result and variables. */
export type TypedDocumentString<Result, Variables> = string & {
  readonly __apiType?: (variables: Variables) => Result;
};
`,
};

/** Scalars of GraphQL, of several databases, and those whose name differs from the database's type. */
const scalars: Readonly<Record<string, "number" | "wide" | "boolean" | "string" | "vector">> = {
  Int: "number",
  smallint: "number",
  Float: "number",
  bigint: "wide",
  float8: "wide",
  numeric: "wide",
  Boolean: "boolean",
  String: "string",
  ID: "string",
  bpchar: "string",
  vector: "vector",
};

type Direction = "input" | "output";

/** A selection set on one level of a result. */
interface Selected {
  readonly set: SelectionSetNode;
  /** True if `@include` or `@skip` can remove all fields of the set. */
  readonly conditional: boolean;
}

interface Collected {
  readonly nodes: { readonly node: FieldNode; readonly conditional: boolean }[];
  /** Type on which the field is selected. */
  readonly parent: GraphQLCompositeType;
}

class ClientWriter {
  readonly #schema: GraphQLSchema;
  readonly #settings: ClientSettings;
  readonly #names: Names;
  /** Declarations of input types and enums by GraphQL name; the text is `null` while a recursive type is being written. */
  readonly #types = new Map<string, { readonly name: string; text: string | null }>();
  #fragments: Fragments = new Map();

  constructor(schema: GraphQLSchema, settings: ClientSettings, names: Names) {
    this.#schema = schema;
    this.#settings = settings;
    this.#names = names;
  }

  operation({ definition, fragments, label }: ClientOperation, name: string): string {
    this.#fragments = fragments;
    const root = this.#schema.getRootType(definition.operation);
    const result = root ? this.#selected(root, [{ set: definition.selectionSet, conditional: false }], "") : "never";
    const members = (definition.variableDefinitions ?? []).map(({ variable, type, defaultValue }) => {
      const found = typeFromAST(this.#schema, type);
      const known = isInputType(found) ? found : undefined;
      const optional = defaultValue !== undefined || type.kind !== Kind.NON_NULL_TYPE ? "?" : "";
      const text = known === undefined ? "unknown" : this.#inputValue(known);
      return `  readonly ${propertyKey(variable.name.value)}${optional}: ${text};\n`;
    });
    return [
      docComment([`Variables of ${label}.`]),
      members.length === 0
        ? `export type ${name}Variables = Readonly<Record<string, never>>;\n\n`
        : `export interface ${name}Variables {\n${members.join("")}}\n\n`,
      docComment([`Result of ${label}.`]),
      `export type ${name}Result = ${result};\n\n`,
      docComment([capital(label)]),
      `export const ${name}Document = ${this.#document(definition, `${name}Result, ${name}Variables`)};\n`,
    ].join("");
  }

  fragment({ definition, fragments, label }: ClientFragment, name: string): string {
    this.#fragments = fragments;
    const type = this.#schema.getType(definition.typeCondition.name.value);
    const text = isCompositeType(type)
      ? this.#selected(type, [{ set: definition.selectionSet, conditional: false }], "")
      : "never";
    return `${docComment([`Members of ${label}.`])}export type ${name}Fragment = ${text};\n`;
  }

  /** Returns the declarations of input types and enums. */
  types(): readonly string[] {
    return [...this.#types.values()].flatMap(({ text }) => text ?? []);
  }

  /** Returns the operation with the fragments that it uses. */
  #document(definition: OperationDefinitionNode, types: string): string {
    const used = usedFragments(definition, this.#fragments);
    const document: DocumentNode = { kind: Kind.DOCUMENT, definitions: [definition, ...used] };
    const text = print(document);
    if (this.#settings.documentMode === "string") {
      return `\`${templateLines(text)}\` as TypedDocumentString<${types}>`;
    }
    const tree = parse(text, { noLocation: true });
    return `${literal(JSON.parse(JSON.stringify(tree)))} as unknown as TypedDocumentNode<${types}>`;
  }

  // ---------------------------------------------------------------- results

  /** Returns the type of an object; for interfaces and unions, one type for each group of equally selected objects. */
  #selected(type: GraphQLCompositeType, sets: readonly Selected[], margin: string): string {
    if (isObjectType(type)) return this.#members([type], type, sets, margin);
    const conditions = [...this.#conditionsOf(sets.map(({ set }) => set))];
    const groups = new Map<string, GraphQLObjectType[]>();
    for (const possible of this.#schema.getPossibleTypes(type)) {
      const key = conditions.map((condition) => Number(this.#applies(condition, possible))).join("");
      const group = groups.get(key);
      if (group) group.push(possible);
      else groups.set(key, [possible]);
    }
    const texts = [...groups.values()].map((group) => this.#members(group, type, sets, margin));
    return texts.length === 0 ? "never" : [...new Set(texts)].join(" | ");
  }

  /** Lists the names of type conditions on one level. */
  #conditionsOf(sets: readonly SelectionSetNode[]): ReadonlySet<string> {
    const found = new Set<string>();
    const visited = new Set<string>();
    const pending = [...sets];
    for (let set = pending.pop(); set !== undefined; set = pending.pop()) {
      for (const node of set.selections) {
        if (node.kind === Kind.FIELD) continue;
        const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : this.#fragments.get(node.name.value);
        if (fragment === undefined) continue;
        if (fragment.kind === Kind.FRAGMENT_DEFINITION) {
          if (visited.has(fragment.name.value)) continue;
          visited.add(fragment.name.value);
        }
        if (fragment.typeCondition) found.add(fragment.typeCondition.name.value);
        pending.push(fragment.selectionSet);
      }
    }
    return found;
  }

  #applies(condition: string, type: GraphQLObjectType): boolean {
    const named: GraphQLNamedType | undefined = this.#schema.getType(condition);
    return named === type || (isAbstractType(named) && this.#schema.isSubType(named, type));
  }

  /** @param types objects to which the same fragments apply; at least one */
  #members(
    types: readonly GraphQLObjectType[],
    parent: GraphQLCompositeType,
    sets: readonly Selected[],
    margin: string,
  ): string {
    const [first] = types;
    if (first === undefined) return "never";
    const collected = new Map<string, Collected>();
    for (const { set, conditional } of sets) this.#collect(set, { conditional, parent, first, visited: [] }, collected);
    const inner = `${margin}  `;
    const members = [...collected].flatMap(([key, field]) => {
      const text = this.#field(types, field, inner);
      const optional = field.nodes.every(({ conditional }) => conditional) ? "?" : "";
      return text === undefined ? [] : [`${inner}readonly ${propertyKey(key)}${optional}: ${text};\n`];
    });
    return members.length === 0 ? "Record<string, never>" : `{\n${members.join("")}${margin}}`;
  }

  #collect(
    { selections }: SelectionSetNode,
    at: {
      readonly conditional: boolean;
      readonly parent: GraphQLCompositeType;
      readonly first: GraphQLObjectType;
      /** Fragments around the set. */
      readonly visited: readonly string[];
    },
    collected: Map<string, Collected>,
  ): void {
    for (const node of selections) {
      const conditional = at.conditional || isConditional(node.directives);
      if (node.kind === Kind.FIELD) {
        const key = (node.alias ?? node.name).value;
        const found = collected.get(key);
        if (found) found.nodes.push({ node, conditional });
        else collected.set(key, { nodes: [{ node, conditional }], parent: at.parent });
        continue;
      }
      const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : this.#fragments.get(node.name.value);
      if (fragment === undefined) continue;
      const name = fragment.kind === Kind.FRAGMENT_DEFINITION ? fragment.name.value : undefined;
      if (name !== undefined && at.visited.includes(name)) continue;
      const condition = fragment.typeCondition?.name.value;
      if (condition !== undefined && !this.#applies(condition, at.first)) continue;
      const type = condition === undefined ? at.parent : this.#schema.getType(condition);
      const parent = isCompositeType(type) ? type : at.parent;
      const visited = name === undefined ? at.visited : [...at.visited, name];
      this.#collect(fragment.selectionSet, { ...at, conditional, parent, visited }, collected);
    }
  }

  /** Returns `undefined` for a field that the type does not have. */
  #field(types: readonly GraphQLObjectType[], { nodes, parent }: Collected, margin: string): string | undefined {
    const name = nodes[0]?.node.name.value ?? "";
    if (name === "__typename") return union(types.map((type) => type.name));
    // Introspection: the result is a document of its own shape.
    if (name === "__schema" || name === "__type") return "unknown";
    const owner = types.length === 1 ? types[0] : parent;
    const field = owner === undefined || isUnionType(owner) ? undefined : owner.getFields()[name];
    if (field === undefined) return undefined;
    // Another selection of the field may be present without this one.
    const isAlone = nodes.length === 1;
    const sets = nodes.flatMap(({ node, conditional }) =>
      node.selectionSet ? [{ set: node.selectionSet, conditional: conditional && !isAlone }] : [],
    );
    return this.#value(field.type, sets, margin);
  }

  #value(type: GraphQLOutputType, sets: readonly Selected[], margin: string): string {
    if (!isNonNullType(type)) return orNull(this.#present(type, sets, margin));
    return this.#present(type.ofType, sets, margin);
  }

  #present(type: GraphQLOutputType, sets: readonly Selected[], margin: string): string {
    if (isNonNullType(type)) return this.#value(type, sets, margin);
    if (isListType(type)) return listOf(this.#value(type.ofType, sets, margin));
    return isLeafType(type) ? this.#leaf(type, "output") : this.#selected(type, sets, margin);
  }

  // ---------------------------------------------------------------- variables

  #inputValue(type: GraphQLInputType): string {
    if (isNonNullType(type)) return this.#inputPresent(type.ofType);
    return orNull(this.#inputPresent(type));
  }

  #inputPresent(type: GraphQLInputType): string {
    if (isNonNullType(type)) return this.#inputValue(type);
    if (isListType(type)) return listOf(this.#inputValue(type.ofType));
    return isInputObjectType(type) ? this.#inputObject(type) : this.#leaf(type, "input");
  }

  #inputObject(type: GraphQLInputObjectType): string {
    return this.#declared(type, (name) => {
      const members = Object.values(type.getFields()).map((field) => {
        const optional = isRequiredInputField(field) ? "" : "?";
        return `  readonly ${propertyKey(field.name)}${optional}: ${this.#inputValue(field.type)};\n`;
      });
      return `export interface ${name} {\n${members.join("")}}\n`;
    });
  }

  // ---------------------------------------------------------------- named types

  #leaf(type: GraphQLNamedType, direction: Direction): string {
    if (!isEnumType(type)) return this.#scalar(type.name, direction);
    return this.#declared(
      type,
      (name) => `export type ${name} = ${union(type.getValues().map((value) => value.name))};\n`,
    );
  }

  /** Returns the name of a declared type, which is written on first use. */
  #declared(type: GraphQLNamedType, write: (name: string) => string): string {
    const known = this.#types.get(type.name);
    if (known) return known.name;
    const entry = { name: this.#names.unique(type.name, [""]), text: null as string | null };
    this.#types.set(type.name, entry);
    const comment = docComment(type.description ? [type.description] : []);
    entry.text = `${comment}${write(entry.name)}`;
    return entry.name;
  }

  #scalar(name: string, direction: Direction): string {
    const chosen = this.#settings.scalars.get(name);
    if (chosen !== undefined) return chosen;
    const known = Object.hasOwn(scalars, name) ? scalars[name] : undefined;
    // Databases also accept these values as text.
    const texts = direction === "input" ? " | string" : "";
    switch (known) {
      case "vector":
        return `readonly number[]${texts}`;
      case "wide":
        return texts === "" && this.#settings.stringifyNumbers ? "string" : `number${texts}`;
      default:
        return known ?? databaseScalar(name);
    }
  }
}

/** Returns the type of a scalar named after a type of PostgreSQL; `unknown` for any other scalar. */
function databaseScalar(name: string): string {
  const row = builtInType(name) ?? extensionType(name);
  switch (row?.graphql === name ? (row.recorded ?? "text") : "any") {
    case "any":
    case "texts":
      return "unknown";
    case "integer":
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    default:
      return "string";
  }
}

/** Assigns identifiers to names of operations, fragments and types. */
class Names {
  readonly #taken = new Set<string>(["TypedDocumentNode", "TypedDocumentString", "DocumentNode", "Record", "Readonly"]);

  /** Returns an identifier that is unused with each of the endings. */
  unique(name: string, endings: readonly string[]): string {
    const base = identifier(pascalCase(name));
    const isTaken = (word: string): boolean => endings.some((ending) => this.#taken.has(`${word}${ending}`));
    let free = base;
    for (let number = 2; isTaken(free); number++) free = `${base}_${number}`;
    for (const ending of endings) this.#taken.add(`${free}${ending}`);
    return free;
  }
}

/** Returns the fragments that an operation uses directly or through other fragments, in order of their names. */
export function usedFragments(
  definition: OperationDefinitionNode | FragmentDefinitionNode,
  fragments: Fragments,
): readonly FragmentDefinitionNode[] {
  const used = new Map<string, FragmentDefinitionNode>();
  const pending: (OperationDefinitionNode | FragmentDefinitionNode)[] = [definition];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    visit(next, {
      FragmentSpread({ name: { value } }) {
        const fragment = fragments.get(value);
        if (fragment === undefined || used.has(value)) return;
        used.set(value, fragment);
        pending.push(fragment);
      },
    });
  }
  return [...used.values()].sort((a, b) => (a.name.value < b.name.value ? -1 : 1));
}

function isConditional(directives: readonly DirectiveNode[] | undefined): boolean {
  return directives?.some(({ name }) => name.value === "include" || name.value === "skip") ?? false;
}

const orNull = (text: string): string => (text === "unknown" ? text : `${text} | null`);

const listOf = (item: string): string => (/^\w+$/.test(item) ? `readonly ${item}[]` : `readonly (${item})[]`);

function pascalCase(name: string): string {
  return name
    .split(/[^\p{L}\p{N}$]+/u)
    .filter((word) => word !== "")
    .map(capital)
    .join("");
}

function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

function union(values: readonly string[]): string {
  return values.length === 0 ? "never" : values.map(stringLiteral).join(" | ");
}

/** Returns a JSON value as code on one line. */
function literal(value: unknown): string {
  if (typeof value === "string") return stringLiteral(value);
  if (typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  return `{ ${Object.entries(value)
    .map(([key, item]) => `${propertyKey(key)}: ${literal(item)}`)
    .join(", ")} }`;
}
