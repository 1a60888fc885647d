/**
 * Finds the fields of an operation that a schema lacks, and returns the operation without them. Moving in from another
 * engine uses both: whether the rest of an operation is allowed for a role is decided by planning it.
 */
import { type DocumentNode, type FieldNode, type FragmentDefinitionNode, Kind, type SelectionSetNode } from "graphql";
import type { RoleSchema } from "../../schema/role-schema.ts";
import type { AbstractTypeDef, ObjectTypeDef } from "../../schema/types.ts";
import type { Operation } from "./document.ts";

export interface AbsentFields {
  /** Schema coordinates of the fields, such as `query_root.article` and `author.articles`, without duplicates. */
  readonly coordinates: readonly string[];
  /** True if a root field is absent. */
  readonly atRoot: boolean;
  /** The document of the operation without these fields; `undefined` if no root field remains. */
  readonly remaining: DocumentNode | undefined;
}

type Composite = ObjectTypeDef | AbstractTypeDef;

/**
 * Returns the fields that the schema lacks; `undefined` if it lacks none, or if the operation has a fragment on a type
 * that the schema does not have at this position. Planning skips such fragments, so the rest of the operation could not
 * be checked.
 */
export function absentFields(operation: Operation, schema: RoleSchema): AbsentFields | undefined {
  const { definition } = operation;
  const root = schema[definition.operation];
  const walk = new Walk(operation.fragments, new Set([schema.query.name]));
  const rootName = `${definition.operation}_root`;
  const remaining = root ? walk.set(definition.selectionSet, root) : walk.rejectRoot(rootName, definition.selectionSet);
  if (walk.coordinates.size === 0 || walk.hasUnknownType) return undefined;
  const coordinates = [...walk.coordinates];
  const atRoot = coordinates.some((coordinate) => coordinate.startsWith(`${root?.name ?? rootName}.`));
  if (remaining.selections.length === 0) return { coordinates, atRoot, remaining: undefined };
  const kept = { ...definition, selectionSet: remaining };
  return { coordinates, atRoot, remaining: { kind: Kind.DOCUMENT, definitions: [kept, ...walk.fragments()] } };
}

class Walk {
  readonly coordinates = new Set<string>();
  hasUnknownType = false;
  readonly #definitions: Operation["fragments"];
  /** Names of the types with introspection fields. */
  readonly #introspected: ReadonlySet<string>;
  readonly #fragments = new Map<string, FragmentDefinitionNode>();

  constructor(definitions: Operation["fragments"], introspected: ReadonlySet<string>) {
    this.#definitions = definitions;
    this.#introspected = introspected;
  }

  /** Returns the visited fragments without absent fields. */
  fragments(): readonly FragmentDefinitionNode[] {
    return [...this.#fragments.values()];
  }

  /** Notes every field of a root type that the schema does not have. */
  rejectRoot(name: string, set: SelectionSetNode): SelectionSetNode {
    return this.set(set, { kind: "object", name, fields: noFields });
  }

  set({ kind, selections }: SelectionSetNode, type: Composite): SelectionSetNode {
    const kept = selections.flatMap((node): readonly SelectionSetNode["selections"][number][] => {
      if (node.kind === Kind.FIELD) return this.#field(node, type);
      if (node.kind === Kind.INLINE_FRAGMENT) {
        const inner = this.#narrowed(node.typeCondition?.name.value, type);
        const selectionSet = inner && this.set(node.selectionSet, inner);
        return selectionSet && selectionSet.selections.length > 0 ? [{ ...node, selectionSet }] : [];
      }
      return this.#spread(node.name.value, type) ? [node] : [];
    });
    return { kind, selections: kept };
  }

  #field(node: FieldNode, type: Composite): readonly FieldNode[] {
    const name = node.name.value;
    if (name === "__typename" || (this.#introspected.has(type.name) && schemaFields.has(name))) return [node];
    const field = type.fields().get(name);
    if (field === undefined) {
      this.coordinates.add(`${type.name}.${name}`);
      return [];
    }
    const of = field.type();
    if (!node.selectionSet || of.kind === "scalar" || of.kind === "enum") return [node];
    const selectionSet = this.set(node.selectionSet, of);
    if (selectionSet.selections.length > 0) return [{ ...node, selectionSet }];
    // The rest of the field must be valid for the role, too.
    return [{ ...node, selectionSet: { kind: Kind.SELECTION_SET, selections: [typeName] } }];
  }

  /** Returns true if fields of the fragment remain. */
  #spread(name: string, type: Composite): boolean {
    const definition = this.#definitions.get(name);
    // Planning reports undefined fragments.
    if (definition === undefined) return true;
    const inner = this.#narrowed(definition.typeCondition.name.value, type);
    if (inner === undefined) return false;
    let visited = this.#fragments.get(name);
    if (visited === undefined) {
      visited = { ...definition, selectionSet: this.set(definition.selectionSet, inner) };
      this.#fragments.set(name, visited);
    }
    return visited.selectionSet.selections.length > 0;
  }

  #narrowed(condition: string | undefined, type: Composite): Composite | undefined {
    if (condition === undefined || condition === type.name) return type;
    const general = type.interfaces?.().find(({ name }) => name === condition);
    const found = general ?? (type.kind === "object" ? undefined : type.types().get(condition));
    if (found === undefined) this.hasUnknownType = true;
    return found;
  }
}

const noFields = () => new Map<string, never>();
const schemaFields: ReadonlySet<string> = new Set(["__schema", "__type"]);
const typeName: FieldNode = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: "__typename" } };
