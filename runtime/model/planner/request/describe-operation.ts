/**
 * Checks a saved operation against a role's schema: the shape of its result, the types of its variables, and missing
 * fields. Unlike planning, it continues after an error and needs no variable values.
 */
import { type DirectiveNode, type FieldNode, Kind, type SelectionSetNode, type ValueNode } from "graphql";
import { pathTo } from "../../../values/errors.ts";
import type { RoleSchema } from "../../schema/role-schema.ts";
import type {
  AbstractTypeDef,
  InputField,
  InputTypeDef,
  ObjectTypeDef,
  OutputField,
  OutputTypeDef,
} from "../../schema/types.ts";
import type { Operation } from "./document.ts";

export interface DescribedOperation {
  /** Messages such as `$.book.titel: field 'titel' not found in object 'book'`. */
  readonly faults: readonly string[];
  /** The faults that are missing fields of object types. */
  readonly missing: readonly MissingField[];
  readonly fields: readonly ResultField[];
  /** The positions where each variable is used. */
  readonly variables: ReadonlyMap<string, readonly VariableUse[]>;
  /**
   * Messages about arguments, members of input objects and enum values that do not exist. They are not faults: a
   * collection may be stored before the objects that its arguments refer to.
   */
  readonly unknownInputs: readonly string[];
  /** True if the plan depends on the structure of a variable's value. */
  readonly isOpen: boolean;
}

/** A field of the schema, with the nodes of the document that select it under one key. */
export interface SelectedField {
  readonly field: OutputField;
  readonly nodes: readonly FieldNode[];
}

/** A position of a variable. */
export interface VariableUse {
  readonly type: InputTypeDef;
  /** The argument or the member of an input object. */
  readonly field: InputField;
  /** Description of the column that the value is written to or compared with, or of the argument. */
  readonly description?: string;
}

export interface MissingField {
  /** Name of the object type. */
  readonly type: string;
  readonly field: string;
}

/** A member of the result. */
export interface ResultField {
  readonly key: string;
  readonly type: OutputTypeDef;
  readonly list: boolean;
  readonly required: boolean;
  readonly nullableItems: boolean;
  /** Selected members, for objects. */
  readonly fields: readonly ResultField[];
  /** True if `@include` or `@skip` can remove it. */
  readonly conditional: boolean;
  /** Absent for `__typename` and introspection. */
  readonly selected?: SelectedField;
}

type Composite = ObjectTypeDef | AbstractTypeDef;

export function describeOperation(
  { definition: operation, fragments }: Operation,
  schema: RoleSchema,
): DescribedOperation {
  const types = { query: schema.query, mutation: schema.mutation, subscription: schema.subscription };
  const root = types[operation.operation];
  const walk = new Walk(fragments);
  const fields = root ? walk.fieldsOf(root, [operation.selectionSet], "$") : walk.rejectRoot(operation);
  const { faults, missing, variables, unknownInputs, isOpen } = walk;
  return { faults, missing, fields, variables, unknownInputs, isOpen };
}

interface CollectedField {
  readonly nodes: FieldNode[];
  conditional: boolean;
}

class Walk {
  readonly faults: string[] = [];
  readonly missing: MissingField[] = [];
  readonly variables = new Map<string, VariableUse[]>();
  readonly unknownInputs: string[] = [];
  isOpen = false;
  readonly #fragments: Operation["fragments"];

  constructor(fragments: Operation["fragments"]) {
    this.#fragments = fragments;
  }

  rejectRoot({ operation }: { readonly operation: string }): readonly ResultField[] {
    this.faults.push(`$: no ${operation === "query" ? "queries" : `${operation}s`} exist`);
    return [];
  }

  fieldsOf(type: Composite, sets: readonly SelectionSetNode[], path: string): readonly ResultField[] {
    const collected = new Map<string, CollectedField>();
    for (const set of sets) this.#collect(set, { conditional: false }, collected, new Set());
    return [...collected].flatMap(([key, { nodes, conditional }]) => {
      const field = this.#field(type, key, nodes, path);
      return field ? [{ ...field, conditional }] : [];
    });
  }

  #collect(
    { selections }: SelectionSetNode,
    { conditional }: { readonly conditional: boolean },
    collected: Map<string, CollectedField>,
    visited: ReadonlySet<string>,
  ): void {
    for (const node of selections) {
      const isOptional = conditional || isConditional(node.directives);
      if (node.kind === Kind.FIELD) {
        const key = node.alias?.value ?? node.name.value;
        const existing = collected.get(key);
        if (existing) {
          existing.nodes.push(node);
          existing.conditional &&= isOptional;
        } else collected.set(key, { nodes: [node], conditional: isOptional });
      } else if (node.kind === Kind.INLINE_FRAGMENT) {
        this.#collect(node.selectionSet, { conditional: isOptional }, collected, visited);
      } else {
        const name = node.name.value;
        const fragment = this.#fragments.get(name);
        if (!fragment || visited.has(name)) continue;
        this.#collect(fragment.selectionSet, { conditional: isOptional }, collected, new Set([...visited, name]));
      }
    }
  }

  #field(type: Composite, key: string, nodes: readonly FieldNode[], path: string): ResultField | undefined {
    const name = nodes[0]?.name.value ?? "";
    const fieldPath = pathTo(path, name);
    if (name === "__typename") return leaf(key, { kind: "scalar", name: "String" });
    // Introspection: the result is a document of its own shape.
    if (name === "__schema" || name === "__type") return leaf(key, { kind: "scalar", name: "json" });
    const field = type.fields().get(name);
    if (!field) {
      if (type.kind !== "object") return undefined;
      this.faults.push(`${fieldPath}: field '${name}' not found in object '${type.name}'`);
      this.missing.push({ type: type.name, field: name });
      return undefined;
    }
    for (const node of nodes) this.#readArguments(field, node, fieldPath);
    const { list, required, nullableItems = false } = field;
    const of = field.type();
    const sets = nodes.flatMap((node) => node.selectionSet ?? []);
    const isComposite = of.kind === "object" || of.kind === "interface" || of.kind === "union";
    const fields = isComposite ? this.fieldsOf(of, sets, fieldPath) : [];
    return { key, type: of, list, required, nullableItems, fields, conditional: false, selected: { field, nodes } };
  }

  #readArguments(field: OutputField, node: FieldNode, path: string): void {
    if (!node.arguments || node.arguments.length === 0) return;
    const known = field.args();
    const isPlanned = !externalFields.has(field.meta.kind);
    for (const { name, value } of node.arguments) {
      const argument = known.get(name.value);
      const at = { path: pathTo(path, name.value), isPlanned };
      if (argument) this.#readValue(value, useOf(argument), at);
      else this.unknownInputs.push(`${at.path}: no such argument`);
    }
  }

  /** Records the variables in a value. */
  #readValue(node: ValueNode, use: VariableUse, at: ValuePlace): void {
    const { type } = use;
    switch (node.kind) {
      case Kind.VARIABLE: {
        const name = node.name.value;
        this.variables.set(name, [...(this.variables.get(name) ?? []), use]);
        // The plan depends on the structure of values that are not scalars.
        this.isOpen ||= at.isPlanned && (type.kind !== "scalar" || type.structure !== undefined);
        return;
      }
      case Kind.LIST:
        for (const item of node.values) this.#readValue(item, use, at);
        return;
      case Kind.OBJECT:
        for (const { name, value } of node.fields) this.#readMember(name.value, value, use, at);
        return;
      case Kind.ENUM:
        if (type.kind === "enum" && !type.values.has(node.value)) {
          this.unknownInputs.push(`${at.path}: no such value: ${node.value}`);
        }
        return;
      default:
    }
  }

  #readMember(name: string, value: ValueNode, use: VariableUse, { path, isPlanned }: ValuePlace): void {
    const at = { path: pathTo(path, name), isPlanned };
    const member = use.type.kind === "input" ? use.type.fields().get(name) : undefined;
    if (member) this.#readValue(value, useOf(member, use), at);
    // Members of a JSON value may have any name.
    else if (use.type.kind !== "input") this.#readValue(value, use, at);
    else this.unknownInputs.push(`${at.path}: no such member`);
  }
}

interface ValuePlace {
  readonly path: string;
  /** True if SQL depends on the structure of the value; remote schemas and handlers receive it unchanged. */
  readonly isPlanned: boolean;
}

/** @param around the input object of a member; its description is that of a column for the operators of a comparison */
function useOf(field: InputField, around?: VariableUse): VariableUse {
  const ofColumn = field.meta.kind === "column" ? field.meta.column.description : undefined;
  const ofOperator = field.meta.kind === "operator" ? around?.description : undefined;
  const description = ofColumn ?? ofOperator ?? field.description;
  return { type: field.type(), field, ...(description !== undefined && { description }) };
}

/** Kinds of fields that remote schemas and action handlers resolve. */
const externalFields: ReadonlySet<OutputField["meta"]["kind"]> = new Set([
  "remote",
  "remote_member",
  "remote_join",
  "action",
]);

function leaf(key: string, type: OutputTypeDef): ResultField {
  return { key, type, list: false, required: true, nullableItems: false, fields: [], conditional: false };
}

function isConditional(directives: readonly DirectiveNode[] | undefined): boolean {
  return directives?.some(({ name }) => name.value === "include" || name.value === "skip") ?? false;
}
