/**
 * A root field that a remote server answers, and all that a request selects below it: checked against the types that the
 * role sees, in the names of the server. Fragments are put in where they are spread, what `@skip` and `@include` leave
 * out is left out.
 */
import { type FieldNode, Kind, print, type SelectionSetNode } from "graphql";
import { type RemoteSchema, upstreamField, upstreamType } from "../../../definitions/remote/remote-schema.ts";
import { remoteTypes } from "../../../schema/remote-types.ts";
import { type AbstractTypeDef, type ObjectTypeDef, type OutputField, typeText } from "../../../schema/types.ts";
import { EngineError, pathTo } from "../../../values/errors.ts";
import { type ConditionContext, isIncluded } from "../conditions.ts";
import { checkDirectives } from "../directives.ts";
import type { Operation } from "../document.ts";
import { unknownField } from "../unknown-field.ts";
import { RemoteArguments } from "./arguments.ts";
import { checkOverlaps, type OverlapField } from "./overlap.ts";
import type { RemoteField, RemoteNode, SelectedRemote } from "./remote-request.ts";
import { Typenames } from "./typenames.ts";

const invalid = (path: string, message: string): EngineError => new EngineError("validation-failed", path, message);

export interface RemoteSelectionContext extends ConditionContext {
  readonly operation: Operation;
  readonly skipRemoteNulls?: boolean | undefined;
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
export function selectRemote(context: RemoteSelectionContext, root: RemoteRootField): SelectedRemote {
  const { remote, type, key, name, field, nodes, path } = root;
  const selection = new RemoteSelection(context, remote);
  const typenames = new Typenames(remote);
  const selected = nodes.map((node) => {
    return selection.field({ node, type, onObject: true, name, field, path, typenames: typenames.below(key) });
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
  };
  const places = typenames.places().get(key);
  return {
    remote,
    field: whole,
    variables: selection.args.variables,
    ...(places instanceof Map && { typenames: places }),
  };
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
  /** Of the value of the field. */
  readonly typenames: Typenames;
}

interface Selected {
  readonly nodes: readonly RemoteNode[];
  readonly overlaps: readonly OverlapField[];
}

const nothing: Selected = { nodes: [], overlaps: [] };

class RemoteSelection {
  readonly args: RemoteArguments;
  readonly #context: RemoteSelectionContext;
  readonly #remote: RemoteSchema;
  #fields = 0;

  constructor(context: RemoteSelectionContext, remote: RemoteSchema) {
    const { operation, inputs, skipRemoteNulls: skipNulls = false } = context;
    this.#context = context;
    this.#remote = remote;
    this.args = new RemoteArguments({ operation, inputs, skipNulls }, remote);
  }

  field({ node, type, onObject, name, field, path, typenames }: PlacedField): {
    readonly remote: RemoteField;
    readonly overlap: OverlapField;
  } {
    const given = node.arguments ?? [];
    const args = this.args.read({ type, name, args: field.args(), path }, given);
    const key = node.alias?.value ?? name;
    const fieldType = field.type();
    const isLeaf = fieldType.kind === "scalar" || fieldType.kind === "enum";
    if (isLeaf && node.selectionSet) throw invalid(path, "unexpected subselection set for non-object field");
    if (!isLeaf && !node.selectionSet) throw invalid(path, `missing selection set for '${name}'`);
    const inner =
      isLeaf || !node.selectionSet
        ? nothing
        : this.#set(fieldType, node.selectionSet, pathTo(path, "selectionSet"), typenames);
    const argsText = given.map((each) => `${each.name.value}:${print(each.value)}`).sort();
    return {
      remote: {
        kind: "field",
        key,
        name: upstreamField(this.#remote, type, name),
        args,
        selection: isLeaf ? null : inner.nodes,
      },
      overlap: {
        id: this.#fields++,
        key,
        name,
        args: argsText.join(),
        parent: type,
        onObject,
        type: typeText(field),
        isLeaf,
        fields: inner.overlaps,
        path,
      },
    };
  }

  #set(scope: Scope, { selections }: SelectionSetNode, path: string, typenames: Typenames): Selected {
    const nodes: RemoteNode[] = [];
    const overlaps: OverlapField[] = [];
    const addFragment = (condition: string | undefined, set: SelectionSetNode): void => {
      const inner = this.#narrowed(condition, scope);
      if (inner === undefined) return;
      const selected = this.#set(inner, set, path, typenames);
      overlaps.push(...selected.overlaps);
      if (selected.nodes.length === 0) return;
      const type = inner === scope ? {} : { type: upstreamType(this.#remote, inner.name) };
      nodes.push({ kind: "fragment", ...type, selection: selected.nodes });
    };
    for (const node of selections) {
      switch (node.kind) {
        case Kind.FIELD: {
          if (!isIncluded(this.#context, node.directives ?? [], "a field", path)) break;
          const { remote, overlap } = this.#member(scope, node, path, typenames);
          nodes.push(remote);
          overlaps.push(overlap);
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
          if (!fragment) throw invalid(path, `reference to undefined fragment "${name}"`);
          checkDirectives(fragment.directives ?? [], "a fragment definition", path);
          addFragment(fragment.typeCondition.name.value, fragment.selectionSet);
        }
      }
    }
    return { nodes, overlaps };
  }

  #member(scope: Scope, node: FieldNode, path: string, typenames: Typenames) {
    const name = node.name.value;
    const key = node.alias?.value ?? name;
    const fieldPath = pathTo(path, name);
    const own = scope.fields().get(name);
    const field = own ?? (name === "__typename" ? typename : undefined);
    if (!field) throw unknownField(fieldPath, name, scope.name);
    typenames.add(key, own ? undefined : scope, fieldPath);
    return this.field({
      node,
      type: scope.name,
      onObject: scope.kind === "object",
      name,
      field,
      path: fieldPath,
      typenames: typenames.below(key),
    });
  }

  /** A fragment on a type that the objects are not of is skipped without an error (`graphql-api.md` 1.6). */
  #narrowed(condition: string | undefined, scope: Scope): Scope | undefined {
    if (condition === undefined || condition === scope.name) return scope;
    const type = remoteTypes(this.#remote).composite(condition);
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
