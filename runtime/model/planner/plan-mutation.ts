/** Plans mutations: each field has its own statements. */

import { EngineError } from "../../values/errors.ts";
import { wholeSessionSlot } from "../definitions/parameters.ts";
import { parameter } from "../definitions/sql.ts";
import type { RoleSchema } from "../schema/role-schema.ts";
import { type ActionPlan, planAction } from "./action-plan.ts";
import { JoinSteps } from "./joins/join-steps.ts";
import { planWrite } from "./mutate/field.ts";
import { functionPlan, type WritePlan } from "./mutate/plan.ts";
import {
  functionValue,
  joinsOf,
  type Planned,
  type PlanPart,
  planParts,
  protection,
  someActions,
  someJoins,
  someRemotes,
} from "./plan.ts";
import { RemoteRequests } from "./remote-requests.ts";
import type { Operation } from "./request/document.ts";
import { InputReader } from "./request/input-reader.ts";
import type { SelectedField } from "./request/selected-field.ts";
import { selectFields } from "./request/selection.ts";
import { buildContext, type PlanOptions } from "./select/context.ts";

/**
 * Plans a mutation.
 * @throws EngineError `validation-failed` and the other codes of invalid requests
 */
export function planMutation(
  operation: Operation,
  schema: RoleSchema,
  variables: Readonly<Record<string, unknown>>,
  options: PlanOptions,
): Planned {
  const type = schema.mutation;
  if (!type) throw new EngineError("validation-failed", "$", "no mutations exist");
  const inputs = new InputReader(operation, variables, options, schema.role);
  const { query: queryType, types } = schema;
  const { skipRemoteNulls } = options;
  const context = { operation, variables, inputs, queryType, types, skipRemoteNulls };
  const fields = selectFields(context, type, [operation.definition.selectionSet], "$.selectionSet");
  const writes: WritePlan[] = [];
  const actions: ActionPlan[] = [];
  const isAlone = countFields(fields) === 1;
  const joins = new JoinSteps(variables, options);
  const remotes = new RemoteRequests("mutation", operation.definition.name?.value);
  const parts = planParts(fields, (field, namespace): PlanPart => {
    const { key, meta } = field;
    if (meta.kind === "remote_request") {
      const request = remotes.add(meta.request, namespace, writes.length);
      return { kind: "remote", key, request, ...joinsOf(joins, field, remotes.origin(request)) };
    }
    if (meta.kind === "action_call") {
      const action = actions.push(planAction(meta, field, variables, options, writes.length)) - 1;
      return { kind: "action", key, action, ...joinsOf(joins, field, meta.call) };
    }
    const write = planField(field, schema, variables, { ...options, isAlone });
    return {
      kind: "write",
      key,
      write: writes.push(write) - 1,
      ...joinsOf(joins, field, write),
      ...protection(field.selection, field),
    };
  });
  return {
    plan: { statements: [], writes, ...someRemotes(remotes), ...someActions(actions), ...someJoins(joins), parts },
    uses: inputs.uses,
  };
}

/** Counts root fields, including fields of namespaces. */
function countFields(fields: readonly SelectedField[]): number {
  return fields.reduce((sum, { meta, selection }) => {
    return sum + (meta.kind === "namespace" ? countFields(selection) : 1);
  }, 0);
}

function planField(
  field: SelectedField,
  { types }: RoleSchema,
  variables: Readonly<Record<string, unknown>>,
  options: PlanOptions & { readonly isAlone: boolean },
): WritePlan {
  const { meta } = field;
  if (meta.kind === "write") {
    const { dialect } = meta.root.view().table.source;
    const context = buildContext(dialect, options, variables);
    // A single statement sets the session variables itself; several run in a transaction that sets them.
    const user = options.isAlone && dialect.writes.setsUser !== false ? { user: parameter(wholeSessionSlot) } : {};
    return planWrite(field, meta.root, types, { ...context, ...user });
  }
  if (meta.kind === "root" && "function" in meta.root) {
    const { source } = meta.root.view().table;
    const context = buildContext(source.dialect, options, variables);
    return functionPlan(source, functionValue(field, meta.root, context), meta.root.function.function.returnsSet);
  }
  throw new EngineError("unexpected", field.path, `field ${field.key} is not a mutation`, { status: 500 });
}
