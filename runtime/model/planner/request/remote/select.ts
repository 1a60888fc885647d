/**
 * A root field that a remote server answers, and all that a request selects below it: checked against the types that the
 * role sees, in the names of the server. Fragments are put in where they are spread, what `@skip` and `@include` leave
 * out is left out.
 */
import { type FieldNode, Kind, print, type SelectionSetNode } from "graphql";
import { EngineError, pathTo } from "../../../../values/errors.ts";
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
  /** Reads a field that something else than the server answers. */
  readonly selectJoined: (field: JoinedNodes) => SelectedField;
}

export interface RemoteRootField {
  readonly remote: RemoteSchema;
  /** The type that it is a field of, as the role calls it. */
  readonly type: string;
  readonly key: string;
  readonly name: string;
  readonly field: OutputField;
  /** Those of its key, in the order of the request. */
  readonly nodes: readonly FieldNode[];
  readonly path: string;
}

/** @throws EngineError `validation-failed` with the path of the field at fault */
export function selectRemote(
  context: RemoteSelectionContext,
  root: RemoteRootField,
): { readonly request: SelectedRemote; readonly joins?: SelectedPlaces } {
  const { remote, type, key, name, field, nodes, path } = root;
  const selection = new RemoteSelection(context, remote);
  const value = valuePlaces(context, remote);
  const selected = nodes.map((node) => {
    return selection.field({ node, type, onObject: true, name, field, path, value });
  });
  checkOverlaps(selected.map(({ overlap }) => overlap));
  const [first] = selected;
  const selections = selected.flatMap(({ remote: { selection: nodes } }) => nodes ?? []);
  const whole: RemoteField = {
    kind: "field",
    key,
    name: first?.remote.name ?? name,
    args: first?.remote.args ?? [],
    selection: first?.remote.selection === null ? null : selections,
    lists: first?.remote.lists ?? 0,
  };
  const { typenames, joins } = placesOf(value, context);
  const request = { remote, field: whole, variables: selection.args.variables, ...(typenames && { typenames }) };
  return { request, ...(joins && { joins }) };
}

/** What is known of the value of a field. */
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

/** Where in the value of a field names of types and keys stand; absent: nowhere. */
export function placesOf(
  { typenames, joins }: RemoteValuePlaces,
  { selectJoined }: RemoteSelectionContext,
): { readonly typenames?: TypenamePlaces; readonly joins?: SelectedPlaces } {
  const [names, joined] = [typenames.places(), joins.places(selectJoined)];
  return { ...(names.size > 0 && { typenames: names }), ...(joined.size > 0 && { joins: joined }) };
}

/** A type that selections stand on. */
type Scope = ObjectTypeDef | AbstractTypeDef;

interface PlacedField {
  readonly node: FieldNode;
  readonly type: string;
  readonly onObject: boolean;
  readonly name: string;
  readonly field: OutputField;
  readonly path: string;
  readonly value: RemoteValuePlaces;
}

export interface Selected {
  /** `null`: the field has no fields. */
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

  field({ node, type, onObject, name, field, path, value }: PlacedField): {
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

  /** What is selected of the value of a field. */
  below({ node, name, field, path, value }: Omit<PlacedField, "type" | "onObject">): Selected {
    const type = field.type();
    if (type.kind === "scalar" || type.kind === "enum") {
      if (node.selectionSet) throw invalid(path, "unexpected subselection set for non-object field");
      return { selection: null, overlaps: [] };
    }
    if (!node.selectionSet) throw invalid(path, `missing selection set for '${name}'`);
    return this.#set(type, node.selectionSet, pathTo(path, "selectionSet"), value);
  }

  #overlap(
    { node, type, onObject, name, field, path }: Omit<PlacedField, "value">,
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
    const placed = { node, type, onObject: kind === "object", name, field, path: fieldPath };
    value.typenames.add(key, own ? undefined : scope, fieldPath);
    const keys = "join" in field.meta ? field.meta.join.keys : undefined;
    if (keys !== undefined) {
      const remote = value.joins.add({ type, key, name, field, keys, path: fieldPath }, node);
      return { remote, overlap: this.#overlap(placed, []) };
    }
    value.joins.addOther(key, fieldPath);
    const { remote, overlap } = this.field({ ...placed, value: below(value, key) });
    return { remote: [remote], overlap };
  }

  /** A fragment on a type that the objects are not of is skipped without an error. */
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

/** What every type has. */
const typename: OutputField = {
  type: () => stringType,
  list: false,
  required: true,
  args: () => new Map(),
  meta: { kind: "remote_member" },
};
