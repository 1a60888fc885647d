/**
 * A saved operation on a role's types: the shape of its answer, what its variables are used for, and fields that are
 * not there. Unlike planning it goes on after a mistake, and needs no values.
 */
import {
  type DirectiveNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  parse,
  type SelectionSetNode,
  type ValueNode,
} from "graphql";
import type { RoleSchema } from "../../runtime/model/schema/role-schema.ts";
import type {
  AbstractTypeDef,
  InputTypeDef,
  ObjectTypeDef,
  OutputField,
  OutputTypeDef,
} from "../../runtime/model/schema/types.ts";
import { pathTo } from "../../runtime/values/errors.ts";
import { operationOf } from "../3-lower/saved-operations.ts";

export interface DescribedOperation {
  /** `$.book.titel: field 'titel' not found in object 'book'` */
  readonly faults: readonly string[];
  readonly fields: readonly ResultField[];
  /** The types of the places where variables stand, by name. */
  readonly variables: ReadonlyMap<string, readonly InputTypeDef[]>;
  /** The structure of the value of some variable decides what the plan is. */
  readonly isOpen: boolean;
}

/** A member of the answer. */
export interface ResultField {
  readonly key: string;
  readonly type: OutputTypeDef;
  readonly list: boolean;
  readonly required: boolean;
  readonly nullableItems: boolean;
  /** Of objects. */
  readonly fields: readonly ResultField[];
  /** A condition decides whether it is there at all. */
  readonly conditional: boolean;
}

type Composite = ObjectTypeDef | AbstractTypeDef;

export function describeOperation(query: string, schema: RoleSchema): DescribedOperation {
  const operation = operationOf(query);
  const types = { query: schema.query, mutation: schema.mutation, subscription: schema.subscription };
  const root = types[operation.operation];
  const walk = new Walk(query);
  const fields = root ? walk.fieldsOf(root, [operation.selectionSet], "$") : walk.refuseAll(operation);
  return { faults: walk.faults, fields, variables: walk.variables, isOpen: walk.isOpen };
}

interface Found {
  readonly nodes: FieldNode[];
  conditional: boolean;
}

class Walk {
  readonly faults: string[] = [];
  readonly variables = new Map<string, InputTypeDef[]>();
  isOpen = false;
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;

  constructor(query: string) {
    const { definitions } = parse(query, { noLocation: true });
    this.#fragments = new Map(
      definitions.flatMap((each) => (each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each] as const] : [])),
    );
  }

  refuseAll({ operation }: { readonly operation: string }): readonly ResultField[] {
    this.faults.push(`$: no ${operation === "query" ? "queries" : `${operation}s`} exist`);
    return [];
  }

  fieldsOf(type: Composite, sets: readonly SelectionSetNode[], path: string): readonly ResultField[] {
    const found = new Map<string, Found>();
    for (const set of sets) this.#collect(set, { conditional: false }, found, new Set());
    return [...found].flatMap(([key, { nodes, conditional }]) => {
      const field = this.#field(type, key, nodes, path);
      return field ? [{ ...field, conditional }] : [];
    });
  }

  #collect(
    { selections }: SelectionSetNode,
    { conditional }: { readonly conditional: boolean },
    found: Map<string, Found>,
    visited: ReadonlySet<string>,
  ): void {
    for (const node of selections) {
      const depends = conditional || isConditional(node.directives);
      if (node.kind === Kind.FIELD) {
        const key = node.alias?.value ?? node.name.value;
        const known = found.get(key);
        if (known) {
          known.nodes.push(node);
          known.conditional &&= depends;
        } else found.set(key, { nodes: [node], conditional: depends });
      } else if (node.kind === Kind.INLINE_FRAGMENT) {
        this.#collect(node.selectionSet, { conditional: depends }, found, visited);
      } else {
        const name = node.name.value;
        const fragment = this.#fragments.get(name);
        if (!fragment || visited.has(name)) continue;
        this.#collect(fragment.selectionSet, { conditional: depends }, found, new Set([...visited, name]));
      }
    }
  }

  #field(type: Composite, key: string, nodes: readonly FieldNode[], path: string): ResultField | undefined {
    const name = nodes[0]?.name.value ?? "";
    const fieldPath = pathTo(path, name);
    if (name === "__typename") return leaf(key, { kind: "scalar", name: "String" });
    // Answered from the schema itself: a document like no other.
    if (name === "__schema" || name === "__type") return leaf(key, { kind: "scalar", name: "json" });
    const field = type.fields().get(name);
    if (!field) {
      if (type.kind === "object") this.faults.push(`${fieldPath}: field '${name}' not found in object '${type.name}'`);
      return undefined;
    }
    for (const node of nodes) this.#readArguments(field, node);
    const { list, required, nullableItems = false } = field;
    const of = field.type();
    const sets = nodes.flatMap((node) => node.selectionSet ?? []);
    const isComposite = of.kind === "object" || of.kind === "interface" || of.kind === "union";
    const fields = isComposite ? this.fieldsOf(of, sets, fieldPath) : [];
    return { key, type: of, list, required, nullableItems, fields, conditional: false };
  }

  #readArguments(field: OutputField, node: FieldNode): void {
    if (!node.arguments || node.arguments.length === 0) return;
    const known = field.args();
    const isPlanned = !answersOfOthers.has(field.meta.kind);
    for (const { name, value } of node.arguments) {
      const argument = known.get(name.value);
      if (argument) this.#readValue(value, argument.type(), isPlanned);
    }
  }

  /** @param isPlanned SQL is made for the structure of the value; others get it as it is */
  #readValue(node: ValueNode, type: InputTypeDef, isPlanned: boolean): void {
    switch (node.kind) {
      case Kind.VARIABLE: {
        const name = node.name.value;
        this.variables.set(name, [...(this.variables.get(name) ?? []), type]);
        // Where something else than a scalar has to stand, the structure of values is part of the plan.
        this.isOpen ||= isPlanned && (type.kind !== "scalar" || type.structure !== undefined);
        return;
      }
      case Kind.LIST:
        for (const item of node.values) this.#readValue(item, type, isPlanned);
        return;
      case Kind.OBJECT:
        for (const { name, value } of node.fields) {
          const member = type.kind === "input" ? type.fields().get(name.value)?.type() : type;
          if (member) this.#readValue(value, member, isPlanned);
        }
        return;
      default:
    }
  }
}

/** What the fields are that remote servers and handlers of actions answer. */
const answersOfOthers: ReadonlySet<OutputField["meta"]["kind"]> = new Set([
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
