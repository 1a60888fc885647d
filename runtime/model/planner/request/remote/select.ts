/**
 * Validates a remote root field and its selection against the role's types, and translates them to upstream names.
 * Spread fragments become inline fragments; `@skip` and `@include` are evaluated.
 */
import { type FieldNode, Kind, print, type SelectionSetNode } from "graphql";
import { EngineError, invariant, pathTo } from "../../../../values/errors.ts";
import { type RemoteSchema, upstreamField, upstreamType } from "../../../definitions/remote/remote-schema.ts";
import type { TypeRegistry } from "../../../schema/registry.ts";
import type { RemoteTypes } from "../../../schema/remote-type-set.ts";
import {
  type AbstractTypeDef,
  listsOf,
  type ObjectTypeDef,
  type OutputField,
  typeText,
} from "../../../schema/types.ts";
import { type ConditionContext, isIncluded } from "../conditions.ts";
import { checkDirectives } from "../directives.ts";
import type { Operation } from "../document.ts";
import type { SelectedField, SelectedPlaces } from "../selected-field.ts";
import { undefinedFragment } from "../undeclared-name.ts";
import { unknownField } from "../unknown-field.ts";
import { RemoteArguments } from "./arguments.ts";
import { freePrefix, type JoinedNodes, SelectedJoins } from "./joins.ts";
import { checkOverlaps, type OverlapField } from "./overlap.ts";
import type { RemoteField, RemoteNode, SelectedRemote, TypenamePlaces } from "./remote-request.ts";
import { Typenames } from "./typenames.ts";

const invalid = (path: string, message: string): EngineError => new EngineError("validation-failed", path, message);

export interface RemoteSelectionContext extends ConditionContext {
  readonly operation: Operation;
  readonly skipRemoteNulls?: boolean | undefined;
  readonly types: TypeRegistry;
  /** Reads a joined field. */
  readonly selectJoined: (field: JoinedNodes) => SelectedField;
}

export interface RemoteRootField {
  readonly remote: RemoteSchema;
  /** Type that has the field, in the role's schema. */
  readonly type: string;
  readonly name: string;
  readonly field: OutputField;
  /** Selections with the field's response key, in request order. */
  readonly nodes: readonly FieldNode[];
  readonly path: string;
}

/**
 * Reads a remote root field with its selection.
 * @throws EngineError `validation-failed` with the path of the invalid field
 */
export function selectRemote(
  context: RemoteSelectionContext,
  root: RemoteRootField,
): { readonly request: SelectedRemote; readonly joins?: SelectedPlaces } {
  const { remote, type, name, field, nodes, path } = root;
  const selection = new RemoteSelection(context, remote);
  const value = valuePlaces(context, remote);
  const selected = nodes.map((node) => {
    return selection.field({ node, type, onObject: true, name, field, path, value });
  });
  checkOverlaps(selected.map(({ overlap }) => overlap));
  const [first] = selected;
  invariant(first, "a response key has at least one selection");
  const selections = selected.flatMap(({ remote: { selection: nodes } }) => nodes ?? []);
  const whole = { ...first.remote, selection: first.remote.selection === null ? null : selections };
  const { typenames, joins } = placesOf(value, context);
  const request = { remote, field: whole, variables: selection.args.variables, ...(typenames && { typenames }) };
  return { request, ...(joins && { joins }) };
}

/** Type names and joins in a field's value. */
export interface RemoteValuePlaces {
  readonly typenames: Typenames;
  readonly joins: SelectedJoins;
}

export function valuePlaces({ operation }: RemoteSelectionContext, remote: RemoteSchema): RemoteValuePlaces {
  return {
    typenames: new Typenames(remote),
    joins: new SelectedJoins(remote, freePrefix(operation.document)),
  };
}

const below = ({ typenames, joins }: RemoteValuePlaces, key: string): RemoteValuePlaces => ({
  typenames: typenames.below(key),
  joins: joins.below(key),
});

/** Returns the locations of type names and join keys in a field's value, if any. */
export function placesOf(
  { typenames, joins }: RemoteValuePlaces,
  { selectJoined }: RemoteSelectionContext,
): { readonly typenames?: TypenamePlaces; readonly joins?: SelectedPlaces } {
  const [names, joined] = [typenames.places(), joins.places(selectJoined)];
  return { ...(names.size > 0 && { typenames: names }), ...(joined.size > 0 && { joins: joined }) };
}

/** A type with selectable fields. */
type Scope = ObjectTypeDef | AbstractTypeDef;

interface FieldSelection {
  readonly node: FieldNode;
  readonly type: string;
  readonly onObject: boolean;
  readonly name: string;
  readonly field: OutputField;
  readonly path: string;
  readonly value: RemoteValuePlaces;
}

export interface Selected {
  /** `null` for scalars and enums. */
  readonly selection: readonly RemoteNode[] | null;
  readonly overlaps: readonly OverlapField[];
}

interface SelectedSet extends Selected {
  readonly selection: readonly RemoteNode[];
}

export class RemoteSelection {
  readonly args: RemoteArguments;
  readonly #context: RemoteSelectionContext;
  readonly #remote: RemoteSchema;
  readonly #types: RemoteTypes;
  #fields = 0;

  constructor(context: RemoteSelectionContext, remote: RemoteSchema) {
    const { operation, inputs, skipRemoteNulls: skipNulls = false, types } = context;
    this.#context = context;
    this.#remote = remote;
    this.#types = types.remote(remote);
    this.args = new RemoteArguments({ operation, inputs, skipNulls, types: this.#types }, remote);
  }

  field({ node, type, onObject, name, field, path, value }: FieldSelection): {
    readonly remote: RemoteField;
    readonly overlap: OverlapField;
  } {
    const args = this.args.read({ type, name, args: field.args(), path }, node.arguments ?? []);
    const key = node.alias?.value ?? name;
    const { selection, overlaps } = this.below({ node, name, field, path, value });
    return {
      remote: {
        kind: "field",
        key,
        name: upstreamField(this.#remote, type, name),
        args,
        selection,
        lists: listsOf(field),
      },
      overlap: this.#overlap({ node, type, onObject, name, field, path }, overlaps),
    };
  }

  /** Reads the selection of a field's value. */
  below({ node, name, field, path, value }: Omit<FieldSelection, "type" | "onObject">): Selected {
    const type = field.type();
    if (type.kind === "scalar" || type.kind === "enum") {
      if (node.selectionSet) throw invalid(path, "unexpected subselection set for non-object field");
      return { selection: null, overlaps: [] };
    }
    if (!node.selectionSet) throw invalid(path, `missing selection set for '${name}'`);
    return this.#set(type, node.selectionSet, pathTo(path, "selectionSet"), value);
  }

  #overlap(
    { node, type, onObject, name, field, path }: Omit<FieldSelection, "value">,
    fields: readonly OverlapField[],
  ): OverlapField {
    const args = (node.arguments ?? []).map((each) => `${each.name.value}:${print(each.value)}`).sort();
    const fieldType = field.type();
    return {
      id: this.#fields++,
      key: node.alias?.value ?? name,
      name,
      args: args.join(),
      parent: type,
      onObject,
      type: typeText(field),
      isLeaf: fieldType.kind === "scalar" || fieldType.kind === "enum",
      fields,
      path,
    };
  }

  #set(scope: Scope, { selections }: SelectionSetNode, path: string, value: RemoteValuePlaces): SelectedSet {
    const nodes: RemoteNode[] = [];
    const overlaps: OverlapField[] = [];
    const addFragment = (condition: string | undefined, set: SelectionSetNode): void => {
      const inner = this.#narrowed(condition, scope);
      if (inner === undefined) return;
      const selected = this.#set(inner, set, path, value);
      overlaps.push(...selected.overlaps);
      if (selected.selection.length === 0) return;
      const type = inner === scope ? {} : { type: upstreamType(this.#remote, inner.name) };
      nodes.push({ kind: "fragment", ...type, selection: selected.selection });
    };
    for (const node of selections) {
      switch (node.kind) {
        case Kind.FIELD: {
          if (!isIncluded(this.#context, node.directives ?? [], "a field", path)) break;
          const member = this.#member(scope, node, path, value);
          nodes.push(...member.remote);
          overlaps.push(member.overlap);
          break;
        }
        case Kind.INLINE_FRAGMENT:
          if (!isIncluded(this.#context, node.directives ?? [], "an inline fragment", path)) break;
          addFragment(node.typeCondition?.name.value, node.selectionSet);
          break;
        case Kind.FRAGMENT_SPREAD: {
          if (!isIncluded(this.#context, node.directives ?? [], "a fragment spread", path)) break;
          const name = node.name.value;
          const fragment = this.#context.operation.fragments.get(name);
          if (!fragment) throw undefinedFragment(this.#context.operation, name, path);
          checkDirectives(fragment.directives ?? [], "a fragment definition", path);
          addFragment(fragment.typeCondition.name.value, fragment.selectionSet);
        }
      }
    }
    return { selection: nodes, overlaps };
  }

  #member(scope: Scope, node: FieldNode, path: string, value: RemoteValuePlaces) {
    const name = node.name.value;
    const key = node.alias?.value ?? name;
    const fieldPath = pathTo(path, name);
    const own = scope.fields().get(name);
    const field = own ?? (name === "__typename" ? typename : undefined);
    if (!field) throw unknownField(fieldPath, name, scope);
    const { name: type, kind } = scope;
    const selected = { node, type, onObject: kind === "object", name, field, path: fieldPath };
    value.typenames.add(key, own ? undefined : scope, fieldPath);
    const keys = "join" in field.meta ? field.meta.join.keys : undefined;
    if (keys !== undefined) {
      const remote = value.joins.add({ type, key, name, field, keys, path: fieldPath }, node);
      return { remote, overlap: this.#overlap(selected, []) };
    }
    value.joins.addOther(key, fieldPath);
    const { remote, overlap } = this.field({ ...selected, value: below(value, key) });
    return { remote: [remote], overlap };
  }

  /** Returns `undefined` for a fragment on a type that the objects cannot have, which is skipped without an error. */
  #narrowed(condition: string | undefined, scope: Scope): Scope | undefined {
    if (condition === undefined || condition === scope.name) return scope;
    const type = this.#types.composite(condition);
    if (type === undefined) return undefined;
    const possible = objectsOf(scope);
    return objectsOf(type).some((name) => possible.includes(name)) ? type : undefined;
  }
}

function objectsOf(type: Scope): readonly string[] {
  return type.kind === "object" ? [type.name] : [...type.types().keys()];
}

const stringType = { kind: "scalar", name: "String" } as const;

/** The field `__typename`, which every type has. */
const typename: OutputField = {
  type: () => stringType,
  list: false,
  required: true,
  args: () => new Map(),
  meta: { kind: "remote_member" },
};
