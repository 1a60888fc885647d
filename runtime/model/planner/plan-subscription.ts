/** Plans subscriptions: the statement of a subscription is polled. */
import { Kind, type OperationDefinitionNode } from "graphql";
import { EngineError, invariant } from "../../values/errors.ts";
import { boundSlot, type ParameterSlot, tieSlot } from "../definitions/parameters.ts";
import { joinSql, render, sql } from "../definitions/sql.ts";
import type { RoleSchema } from "../schema/role-schema.ts";
import { JoinSteps } from "./joins/join-steps.ts";
import { joinsOf, type Plan, type Planned, planFields, planParts, someJoins, someRemotes } from "./plan.ts";
import { RemoteRequests } from "./remote-requests.ts";
import type { Operation } from "./request/document.ts";
import { InputReader } from "./request/input-reader.ts";
import type { SelectedField } from "./request/selected-field.ts";
import { selectFields } from "./request/selection.ts";
import { buildContext, type PlanOptions } from "./select/context.ts";
import { selectStream } from "./select/stream.ts";

/**
 * Plans a subscription as one statement.
 * @throws EngineError `validation-failed`, `not-supported` and the errors of `planQuery`
 */
export function planSubscription(
  operation: Operation,
  schema: RoleSchema,
  variables: Readonly<Record<string, unknown>>,
  options: PlanOptions,
): Planned {
  if (selectsRemoteQuery(operation, schema)) throw notSupported("subscription to remote server is not supported");
  const type = schema.subscription;
  if (!type) throw invalid("no subscriptions exist");
  checkRootFields(operation.definition);
  const inputs = new InputReader(operation, variables, options, schema.role);
  const { query: queryType, types } = schema;
  const { skipRemoteNulls } = options;
  const context = { operation, variables, inputs, queryType, types, skipRemoteNulls };
  const fields = selectFields(context, type, [operation.definition.selectionSet], "$.selectionSet");
  if (fields.length > 1 && fields.some(({ meta }) => meta.kind === "namespace")) {
    throw invalid("subscriptions must select one top level field");
  }
  // The only constant root field is `__typename`.
  if (fields.some(({ meta }) => meta.kind === "constant")) {
    throw notSupported("Introspection at root field level is not supported over subscriptions");
  }
  const name = operation.definition.name?.value;
  return { plan: planRoots(fields, variables, { ...options, operationName: name }), uses: inputs.uses };
}

/** Returns true if the subscription selects a remote field that only the query type has. */
function selectsRemoteQuery({ definition }: Operation, { query, subscription }: RoleSchema): boolean {
  return definition.selectionSet.selections.some((node) => {
    if (node.kind !== Kind.FIELD || subscription?.fields().has(node.name.value)) return false;
    return query.fields().get(node.name.value)?.meta.kind === "remote";
  });
}

function planRoots(
  fields: readonly SelectedField[],
  variables: Readonly<Record<string, unknown>>,
  options: PlanOptions & { readonly operationName: string | undefined },
): Plan {
  const leaves = leavesOf(fields);
  if (leaves.some(({ meta }) => meta.kind === "remote_request"))
    return planRemote(fields, leaves, options.operationName);
  const streams = leaves.filter(({ meta }) => meta.kind === "stream");
  const [stream] = streams;
  if (stream && leaves.length > streams.length) {
    throw notSupported("streaming and livequery subscriptions cannot be executed in the same subscription");
  }
  if (streams.length > 1) throw notSupported("exactly one root field is allowed for streaming subscriptions");
  if (stream) return planStream(fields, stream, variables, options);
  const plan = planFields(fields, variables, options, "live");
  if (plan.joins && !options.joinInSubscriptions) throw notSupported(joinsRefused);
  if (plan.actions && plan.statements.length > 0) {
    throw notSupported("results of actions and rows of databases cannot be selected in the same subscription");
  }
  if (plan.statements.length > 1) throw notSupported("all fields of a subscription must be from the same source");
  return plan;
}

const joinsRefused = "Remote relationships are not allowed in subscriptions";

/** Plans a subscription to a remote schema, which may have only one field (GraphQL specification, 5.2.3.1). */
function planRemote(
  fields: readonly SelectedField[],
  leaves: readonly SelectedField[],
  operationName: string | undefined,
): Plan {
  if (leaves.length > 1) throw notSupported("a subscription to a remote server must select exactly one of its fields");
  const remotes = new RemoteRequests("subscription", operationName);
  const parts = planParts(fields, ({ key, meta }, namespace) => {
    invariant(meta.kind === "remote_request", "the only field is a remote field");
    if (meta.joins) throw notSupported(joinsRefused);
    return { kind: "remote", key, request: remotes.add(meta.request, namespace) };
  });
  return { statements: [], writes: [], ...someRemotes(remotes), parts };
}

/** Returns the root fields that read data, including fields of namespaces. */
function leavesOf(fields: readonly SelectedField[]): readonly SelectedField[] {
  return fields.flatMap((field) => {
    const { kind } = field.meta;
    if (kind === "namespace") return leavesOf(field.selection);
    return kind === "constant" ? [] : [field];
  });
}

/** Plans a stream: its next rows, and the position after them. */
function planStream(
  fields: readonly SelectedField[],
  stream: SelectedField,
  variables: Readonly<Record<string, unknown>>,
  options: PlanOptions,
): Plan {
  const { meta } = stream;
  invariant(meta.kind === "stream", "the field is a stream");
  const joins = new JoinSteps(variables, options);
  const below = joinsOf(joins, stream, stream);
  if (below.joins && !options.joinInSubscriptions) throw notSupported(joinsRefused);
  const view = meta.root.view();
  const { source } = view.table;
  const context = buildContext(source.dialect, options, variables);
  const { rows, position, from, column, keys, highWaterMark, start } = selectStream(view, stream, context);
  // A stream without new rows has no row in the result, so that idle streams cost nothing to transfer.
  const some = sql`${from} having count(*) > 0`;
  const { text, slots } = render(sql`select ${joinSql([rows, ...position], ", ")} from ${some}`, source.dialect);
  const slotOf = ({ key }: Pick<ParameterSlot, "key">): number => slots.findIndex((slot) => slot.key === key);
  const multiplexed = source.dialect.multiplex([rows, ...position], some);
  const { relative } = source.dialect.stream;
  const cursor = {
    column: column.field,
    keys: keys.map(({ field }) => field),
    slots: [slots.findIndex(({ kind }) => kind === "cursor"), ...keys.map((_, i) => slotOf(tieSlot(i)))],
    ...(highWaterMark && {
      highWaterMark: {
        text: render(highWaterMark, source.dialect).text,
        slots: [column, ...keys].map((_, i) => slotOf(boundSlot(i))),
      },
    }),
    ...(relative && { start: { isRelative: relative.isRelative, text: render(start, source.dialect).text } }),
  };
  return {
    statements: [{ source: source.name, text, slots, multiplexed, cursor }],
    writes: [],
    ...someJoins(joins),
    parts: planParts(fields, ({ key }) => ({ kind: "column", key, statement: 0, column: 0, ...below })),
  };
}

/** Checks the number of selections; a fragment counts as one selection, whatever it contains. */
function checkRootFields({ selectionSet, directives = [] }: OperationDefinitionNode): void {
  if (directives.length === 0 && selectionSet.selections.length !== 1) {
    throw invalid("subscriptions must select one top level field");
  }
}

function invalid(message: string): EngineError {
  return new EngineError("validation-failed", "$", message);
}

function notSupported(message: string): EngineError {
  return new EngineError("not-supported", "$", message);
}
