/** Reads a remote field joined to a row or object, with its selection. */
import type { FieldNode } from "graphql";
import { invariant } from "../../../../values/errors.ts";
import { upstreamType } from "../../../definitions/remote/remote-schema.ts";
import type { ToRemoteSchema } from "../../../definitions/remote-relationship.ts";
import { joinedRemoteField } from "../../../schema/remote-join-types.ts";
import type { OutputField } from "../../../schema/types.ts";
import type { SelectedPlaces } from "../selected-field.ts";
import { JoinArguments } from "./join-arguments.ts";
import type { JoinedBatch, JoinedPathField, SelectedRemoteJoin } from "./join-request.ts";
import { freePrefix } from "./joins.ts";
import { checkOverlaps } from "./overlap.ts";
import type { RemoteField } from "./remote-request.ts";
import { placesOf, RemoteSelection, type RemoteSelectionContext, valuePlaces } from "./select.ts";

export interface RemoteJoinField {
  readonly join: ToRemoteSchema;
  readonly name: string;
  readonly field: OutputField;
  /** Selections with the field's response key, in request order; all have the same arguments. */
  readonly nodes: readonly FieldNode[];
  readonly path: string;
}

/**
 * Reads a joined remote field with its selection.
 * @throws EngineError `validation-failed` with the path of the invalid field
 */
export function selectRemoteJoin(
  context: RemoteSelectionContext,
  { join, name, field, nodes, path }: RemoteJoinField,
): { readonly request: SelectedRemoteJoin; readonly joins?: SelectedPlaces } {
  const remote = join.remote();
  const joined = joinedRemoteField(context.types, join);
  invariant(joined, `the role has the fields of ${name}`);
  const selection = new RemoteSelection(context, remote);
  const value = valuePlaces(context, remote);
  const selected = nodes.map((node) => selection.below({ node, name, field, path, value }));
  checkOverlaps(selected.flatMap(({ overlaps }) => overlaps));
  const args = new JoinArguments({
    ...context,
    remote,
    keys: join.keys,
    isBatch: join.batch !== undefined,
    args: selection.args,
  });
  const given = { name, known: field.args(), nodes: nodes[0]?.arguments ?? [], path };
  const fields = join.path.map(({ field: upstream, arguments: fixed }, i): JoinedPathField => {
    const owner = joined.path[i];
    invariant(owner, `the role has the field ${upstream}`);
    const isLast = i === join.path.length - 1;
    return { name: upstream, args: isLast ? args.given(owner, fixed, given) : args.fixed(owner, fixed) };
  });
  const isLeaf = selected[0]?.selection === null;
  const { typenames, joins } = placesOf(value, context);
  const type = upstreamType(remote, field.type().name);
  const nodesOfValue = isLeaf ? null : selected.flatMap((each) => each.selection ?? []);
  const { batch, selection: requested } = batched(join, context, nodesOfValue);
  const call = { path: fields, selection: requested, type, ...(typenames && { typenames }), ...(batch && { batch }) };
  return { request: { join, remote, call, variables: selection.args.variables }, ...(joins && { joins }) };
}

/** Adds the members that identify each item's key, if one call serves many keys. */
function batched(
  { batch }: ToRemoteSchema,
  { operation }: RemoteSelectionContext,
  selection: RemoteField["selection"],
): { readonly batch?: JoinedBatch; readonly selection: RemoteField["selection"] } {
  if (batch === undefined) return { selection };
  const { relationship, match, entity } = batch;
  if (match === undefined) {
    const isWhole = entity === undefined || selection === null;
    return {
      batch: { relationship },
      selection: isWhole ? selection : [{ kind: "fragment", type: entity, selection }],
    };
  }
  const prefix = freePrefix(operation.document);
  const fields = match.map((name, i): RemoteField => {
    return { kind: "field", key: `${prefix}${i + 1}`, name, args: [], selection: null, lists: 0 };
  });
  return {
    batch: { relationship, members: fields.map(({ key }) => key) },
    selection: [...fields, ...(selection ?? [])],
  };
}
