/** Validates the selections of a GraphQL request against the role's types, resolving fragments and merging equal fields. */
import { type ArgumentNode, type FieldNode, Kind, type SelectionSetNode, type ValueNode } from "graphql";
import { EngineError, invariant, pathTo } from "../../../values/errors.ts";
import type { ActionRoot } from "../../definitions/roots.ts";
import type { TypeRegistry } from "../../schema/registry.ts";
import { type AbstractTypeDef, noArguments, type ObjectTypeDef, type OutputField } from "../../schema/types.ts";
import { actionCall } from "./action/select.ts";
import { type ConditionContext, isIncluded } from "./conditions.ts";
import { checkDirectives } from "./directives.ts";
import type { Operation } from "./document.ts";
import type { Input } from "./input.ts";
import { selectRemoteJoin } from "./remote/join-select.ts";
import { type RemoteSelectionContext, selectRemote } from "./remote/select.ts";
import type { SelectedField } from "./selected-field.ts";
import { undefinedFragment } from "./undeclared-name.ts";
import { unknownArgument, unknownField } from "./unknown-field.ts";

const invalid = (path: string, message: string): EngineError => new EngineError("validation-failed", path, message);

interface Merged {
  readonly key: string;
  readonly name: string;
  readonly nodes: FieldNode[];
  /** Name of the type that has the field; absent for joined fields. */
  readonly owner?: string | undefined;
}

/** The request whose selection is read. */
export interface SelectionContext extends ConditionContext {
  readonly operation: Operation;
  /** Omits null arguments of remote fields. */
  readonly skipRemoteNulls?: boolean | undefined;
  /** The type with the introspection fields. */
  readonly queryType: ObjectTypeDef;
  readonly types: TypeRegistry;
}

/**
 * Returns the fields of a selection set on a type, in response order.
 * @param scope the interface or union of `type` that the document selects on, if any
 * @throws EngineError `validation-failed` with the path of the invalid field
 */
export function selectFields(
  context: SelectionContext,
  type: ObjectTypeDef,
  sets: readonly SelectionSetNode[],
  path: string,
  scope: Scope = type,
): SelectedField[] {
  const merged = new Map<string, Merged>();
  const visited = new Set<string>();
  for (const set of sets) collect(context, { type, scope }, set, path, merged, visited);
  const fields = type.fields();
  return [...merged.values()].map((entry) => {
    const { key, name, nodes } = entry;
    const fieldPath = pathTo(path, name);
    const field = fields.get(name) ?? (name === "__typename" ? typeNameOf(type) : undefined);
    if (field) return selectMember(context, entry, field, fieldPath);
    if (type !== context.queryType || !schemaFields.has(name)) throw unknownField(fieldPath, name, type);
    return { key, meta: { kind: "introspection", nodes }, args: new Map(), selection: [], path: fieldPath };
  });
}

function selectMember(context: SelectionContext, entry: Merged, field: OutputField, path: string): SelectedField {
  const { key, name, nodes } = entry;
  const { meta } = field;
  switch (meta.kind) {
    case "remote": {
      const root = { ...entry, remote: meta.remote(), type: meta.type, field, path };
      const selected = selectRemote(remoteContext(context), root);
      return { key, meta: { kind: "remote_request", ...selected }, args: new Map(), selection: [], path };
    }
    case "remote_join": {
      checkEqualArguments(entry, path);
      const selected = selectRemoteJoin(remoteContext(context), { join: meta.join, name, field, nodes, path });
      return { key, meta: { kind: "remote_join_request", ...selected }, args: new Map(), selection: [], path };
    }
    case "action":
      return selectAction(context, entry, field, meta.root, path);
    default:
      return selectField(context, entry, field, path);
  }
}

function remoteContext(context: SelectionContext): RemoteSelectionContext {
  return { ...context, selectJoined: (joined) => selectMember(context, joined, joined.field, joined.path) };
}

/** Introspection fields, which are validated when the schema is queried. */
const schemaFields: ReadonlySet<string> = new Set(["__schema", "__type"]);

const stringType = { kind: "scalar", name: "String" } as const;

function typeNameOf({ name }: ObjectTypeDef): OutputField {
  const meta = { kind: "constant", value: name } as const;
  return { type: () => stringType, list: false, required: true, args: noArguments, meta };
}

function selectAction(
  context: SelectionContext,
  { key, name, nodes }: Merged,
  field: OutputField,
  root: ActionRoot,
  path: string,
): SelectedField {
  checkEqualArguments({ name, nodes }, path);
  const call = actionCall(context, root, { name, field, node: nodes[0], path });
  return {
    key,
    meta: { kind: "action_call", call, outputs: root.outputs },
    args: new Map(),
    path,
    ...below(context, { name, nodes }, field, path),
  };
}

function selectField(
  context: SelectionContext,
  { key, name, nodes, owner }: Merged,
  field: OutputField,
  path: string,
): SelectedField {
  const args = readArguments(context, { name, owner }, field, nodes[0]?.arguments ?? [], path);
  checkEqualArguments({ name, nodes }, path);
  const { meta, cursors } = field;
  return { key, meta, args, path, ...(cursors && { cursors }), ...below(context, { name, nodes }, field, path) };
}

const actionFields: ReadonlySet<OutputField["meta"]["kind"]> = new Set(["action", "action_member"]);

type Below = Pick<SelectedField, "selection" | "selectionOn" | "typeName">;

/** Returns the selection of a field's value. */
function below(
  context: SelectionContext,
  { name, nodes }: Omit<Merged, "key">,
  field: OutputField,
  path: string,
): Below {
  const sets = nodes.flatMap((node) => node.selectionSet ?? []);
  const type = field.type();
  if (type.kind === "scalar" || type.kind === "enum") {
    if (sets.length > 0) throw invalid(path, "unexpected subselection set for non-object field");
    return { selection: [] };
  }
  if (sets.length === 0) throw invalid(path, `missing selection set for '${name}'`);
  const setsPath = pathTo(path, "selectionSet");
  if (type.kind === "object") {
    const ofAction = actionFields.has(field.meta.kind) ? { typeName: type.name } : {};
    return { selection: selectFields(context, type, sets, setsPath), ...ofAction };
  }
  const fieldsOf = (object: ObjectTypeDef) => selectFields(context, object, sets, setsPath, type);
  // Reports errors in fragments even if no object of their type is returned.
  for (const object of namedTypes(context, type, sets)) fieldsOf(object);
  const selectionOn = (typeName: string): readonly SelectedField[] => {
    const object = type.types().get(typeName);
    invariant(object, `${typeName} is one of the types of ${type.name}`);
    return fieldsOf(object);
  };
  return { selection: [], selectionOn };
}

/** Returns the object types that fragments name, or any one type if none is named: the shared fields are equal. */
function namedTypes(
  { operation }: SelectionContext,
  type: AbstractTypeDef,
  sets: readonly SelectionSetNode[],
): Iterable<ObjectTypeDef> {
  const types = type.types();
  const found = new Set<ObjectTypeDef>();
  const visited = new Set<string>();
  const visit = (set: SelectionSetNode): void => {
    for (const node of set.selections) {
      if (node.kind === Kind.FIELD) continue;
      const spread = node.kind === Kind.FRAGMENT_SPREAD ? node.name.value : undefined;
      if (spread !== undefined && visited.has(spread)) continue;
      if (spread !== undefined) visited.add(spread);
      const fragment = node.kind === Kind.FRAGMENT_SPREAD ? operation.fragments.get(node.name.value) : node;
      const named = types.get(fragment?.typeCondition?.name.value ?? "");
      if (named) found.add(named);
      if (fragment) visit(fragment.selectionSet);
    }
  };
  for (const set of sets) visit(set);
  if (found.size === 0) for (const first of types.values()) return [first];
  return found;
}

/** A type with selectable fields. */
type Scope = ObjectTypeDef | AbstractTypeDef;

/** The object type of a selection set; `scope` is the interface or union that the document selects on. */
interface Position {
  readonly type: ObjectTypeDef;
  readonly scope: Scope;
}

function collect(
  context: SelectionContext,
  position: Position,
  set: SelectionSetNode,
  path: string,
  into: Map<string, Merged>,
  visited: Set<string>,
): void {
  for (const node of set.selections) {
    const kind =
      node.kind === Kind.FIELD
        ? "a field"
        : node.kind === Kind.FRAGMENT_SPREAD
          ? "a fragment spread"
          : "an inline fragment";
    if (!isIncluded(context, node.directives ?? [], kind, path)) continue;
    switch (node.kind) {
      case Kind.FIELD:
        checkScope(node.name.value, position.scope, path);
        merge(node, position.type, path, into);
        break;
      case Kind.INLINE_FRAGMENT: {
        const inner = narrowed(node.typeCondition?.name.value, position);
        if (inner) collect(context, inner, node.selectionSet, path, into, visited);
        break;
      }
      case Kind.FRAGMENT_SPREAD: {
        const name = node.name.value;
        const fragment = context.operation.fragments.get(name);
        if (!fragment) throw undefinedFragment(context.operation, name, path);
        if (visited.has(name)) break;
        visited.add(name);
        checkDirectives(fragment.directives ?? [], "a fragment definition", path);
        const inner = narrowed(fragment.typeCondition.name.value, position);
        if (inner) collect(context, inner, fragment.selectionSet, path, into, visited);
      }
    }
  }
}

function merge(node: FieldNode, { name: owner }: ObjectTypeDef, path: string, into: Map<string, Merged>): void {
  const name = node.name.value;
  const key = node.alias?.value ?? name;
  const existing = into.get(key);
  if (!existing) {
    into.set(key, { key, name, nodes: [node], owner });
  } else if (existing.name !== name) {
    throw invalid(
      pathTo(path, name),
      `selection of both '${existing.name}' and '${name}' specify the same response name, '${key}'`,
    );
  } else {
    existing.nodes.push(node);
  }
}

/** Returns `undefined` for a fragment on another type, which is skipped without an error. */
function narrowed(condition: string | undefined, { type, scope }: Position): Position | undefined {
  if (condition === undefined || condition === scope.name) return { type, scope };
  if (condition === type.name) return { type, scope: type };
  const general = type.interfaces?.().find(({ name }) => name === condition);
  return general && { type, scope: general };
}

/** Checks a field selected on an interface or union. Fields of the object type are checked when they are merged. */
function checkScope(name: string, scope: Scope, path: string): void {
  if (scope.kind === "object" || name === "__typename" || scope.fields().has(name)) return;
  throw unknownField(pathTo(path, name), name, scope);
}

function readArguments(
  context: SelectionContext,
  { name, owner }: Pick<Merged, "name" | "owner">,
  field: OutputField,
  nodes: readonly ArgumentNode[],
  path: string,
): ReadonlyMap<string, Input> {
  const known = field.args();
  const args = new Map<string, Input>();
  const argsPath = pathTo(path, "args");
  for (const node of nodes) {
    const argumentName = node.name.value;
    const definition = known.get(argumentName);
    if (!definition) throw unknownArgument(path, name, argumentName, known, owner);
    const input = context.inputs.read(definition, node.value, pathTo(argsPath, argumentName));
    if (input) args.set(argumentName, input);
  }
  for (const [argumentName, definition] of known) {
    if (definition.required && definition.defaultValue === undefined && !args.has(argumentName)) {
      throw invalid(pathTo(argsPath, argumentName), `missing required field '${argumentName}'`);
    }
  }
  return args;
}

function checkEqualArguments({ name, nodes }: Pick<Merged, "name" | "nodes">, path: string): void {
  const [first, ...others] = nodes;
  for (const other of others) checkSameArguments(name, first?.arguments ?? [], other.arguments ?? [], path);
}

function checkSameArguments(name: string, a: readonly ArgumentNode[], b: readonly ArgumentNode[], path: string): void {
  const text = (nodes: readonly ArgumentNode[]): string =>
    nodes
      .map((node) => `${node.name.value}:${literalText(node.value)}`)
      .sort()
      .join();
  if (text(a) === text(b)) return;
  throw invalid(path, `inconsistent arguments between multiple selections of field '${name}'`);
}

function literalText(node: ValueNode): string {
  return JSON.stringify(node, (key, value) => (key === "loc" ? undefined : value));
}
