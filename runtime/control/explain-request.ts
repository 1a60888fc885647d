/** Explains whether a role may send a GraphQL request, with the permission that each root field needs. */
import { Kind, type SelectionSetNode } from "graphql";
import type { Analysis } from "../../compiler/2-analyze/analysis.ts";
import { admissionSteps } from "../../compiler/access/explain-limits.ts";
import { rootSteps, type SchemaFacts } from "../../compiler/access/explain-root.ts";
import { explainTable, roleSteps } from "../../compiler/access/explain-table.ts";
import { failed, missingVariablesStep, passed, type Step } from "../../compiler/access/explanation.ts";
import { missingVariables, slotsOf } from "../execute/cross-source-slots.ts";
import type { Generation } from "../execute/generation.ts";
import type { PlannedOperation } from "../execute/plan-operation.ts";
import { budgetOf } from "../model/planner/request/budget.ts";
import { type Operation, readOperation } from "../model/planner/request/document.ts";
import type { GraphqlRequest } from "../ports/graphql.ts";
import { EngineError } from "../values/errors.ts";
import type { Session } from "../values/session.ts";
import { requestRules, schemaFacts } from "./schema-facts.ts";

/** Plans a request as for a client. @throws EngineError if the request is refused */
export type PlanRequest = (generation: Generation, request: GraphqlRequest, session: Session) => PlannedOperation;

export interface ExplainedRequest {
  readonly request: GraphqlRequest;
  readonly session: Session;
  readonly analysis: Analysis;
  readonly generation: Generation;
  readonly plan: PlanRequest;
}

export function explainRequest({ request, session, analysis, generation, plan }: ExplainedRequest): readonly Step[] {
  const planned = resultOf(() => plan(generation, request, session));
  const refusal = planned instanceof EngineError ? planned : undefined;
  const { query, operationName } = request;
  const operation = resultOf(() => readOperation(query, operationName, budgetOf(session.role)));
  const facts = schemaFacts(analysis, generation, session);
  const roots = operation instanceof EngineError ? [] : rootsOf(operation, facts);
  const outcome = outcomeOf(planned, session);
  const admission = operation instanceof EngineError ? [] : admissionOf(operation, analysis, generation, session.role);
  // A role without permissions may still send requests such as `{ __typename }`.
  if (refusal === undefined) return [...roots.filter(({ result }) => result !== "failed"), ...admission, outcome];
  const members = membersOf(refusal, analysis, facts);
  return [...roleSteps(facts.role, session.role), ...roots, ...admission, ...members, outcome];
}

function admissionOf(operation: Operation, analysis: Analysis, generation: Generation, role: string): readonly Step[] {
  return admissionSteps(requestRules(analysis, generation, role), role, generation.guard.allows(role, operation));
}

function outcomeOf(planned: PlannedOperation | EngineError, { role, variables }: Session): Step {
  if (planned instanceof EngineError) {
    const { message, code, path, hint } = planned;
    return failed("request", `${message} (${code} at ${path})`, hint);
  }
  const missing = missingVariables(slotsOf(planned.plan.plan), variables);
  if (missing.length > 0) return missingVariablesStep(missing);
  return passed("request", `role ${role} may send the request`);
}

function resultOf<T>(run: () => T): T | EngineError {
  try {
    return run();
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
}

/** Explains the root fields of a document. */
function rootsOf({ definition }: Operation, facts: SchemaFacts): readonly Step[] {
  const { operation, selectionSet } = definition;
  const paths = pathsIn(selectionSet, [], (path) => facts.owner(operation, path) !== undefined);
  return [...new Map(paths.map((path) => [path.join("."), path])).values()].flatMap((path) =>
    rootSteps(facts, operation, path),
  );
}

/** Returns the paths of root fields, which may be below the namespace of a source. */
function pathsIn(
  { selections }: SelectionSetNode,
  above: readonly string[],
  isRoot: (path: readonly string[]) => boolean,
): readonly (readonly string[])[] {
  return selections.flatMap((node) => {
    if (node.kind !== Kind.FIELD) return [];
    const path = [...above, node.name.value];
    if (isRoot(path)) return [path];
    return above.length === 0 && node.selectionSet ? pathsIn(node.selectionSet, path, isRoot) : [];
  });
}

/** Explains a field of a table's object type that the role does not have. */
function membersOf({ fault }: EngineError, analysis: Analysis, { action }: SchemaFacts): readonly Step[] {
  if (fault?.kind !== "unknown_field") return [];
  for (const source of analysis.sources.values()) {
    for (const table of source.tables.values()) {
      if (table.graphqlName !== fault.type) continue;
      const name = table.columns.find(({ field }) => field === fault.field)?.name ?? fault.field;
      const { steps } = explainTable(analysis, source, table, { ...action, operation: "select", columns: [name] });
      return steps.filter(({ check }) => check === "columns");
    }
  }
  return [];
}
