/**
 * Rules of event triggers: their columns exist, the database supports recording them, and their environment variables
 * exist.
 */
import { type OperationName, operationsOf } from "../../catalog/event-operations.ts";
import type { ColumnList, EventTrigger } from "../../catalog/model.ts";
import type { AnalyzedEventTrigger } from "../analyzed-table.ts";
import { bindChange } from "../event-conditions.ts";
import type { PredicateScope } from "../predicate-scope.ts";
import { Rejection, rejectUnknown } from "../rejection.ts";
import type { ColumnEntry, TableFields } from "../table-fields.ts";
import { checkHeaders, checkSecrets, checkUrl, checkVariable, type Environment } from "./environment.ts";

/** @throws Rejection */
export function bindEventTrigger(
  scope: PredicateScope,
  trigger: EventTrigger,
  environment: Environment,
): AnalyzedEventTrigger {
  const { row: table, uses } = scope;
  const { condition, ordering } = trigger;
  const operations = operationsOf(trigger);
  const lists = operations.flatMap(({ columns, payload }) => [columns, payload]);
  const named = [...lists, ordering?.key ?? []].flatMap((list) => (list === "*" ? [] : list));
  for (const name of named) uses.column(columnOf(table, name));
  checkRecording(scope, trigger, [...lists, ordering?.key ?? []]);
  if (trigger.webhook_from_env !== undefined) checkVariable(trigger.webhook_from_env, environment);
  checkUrl(trigger.webhook ?? "", environment);
  checkHeaders(trigger.headers, environment);
  checkSecrets(trigger, environment);
  return { trigger, ...(condition && { condition: bindChange(scope, condition) }) };
}

function columnOf({ columns }: TableFields, name: string): ColumnEntry {
  return columns.get(name) ?? rejectUnknown(`"${name}" does not exist`, name, columns.keys());
}

function checkRecording({ row, context }: PredicateScope, trigger: EventTrigger, lists: readonly ColumnList[]): void {
  const { shape } = row.base;
  const operations = operationsOf(trigger).map(({ operation }): OperationName => operation);
  const columns = shape.columns.filter(({ name }) => lists.some((list) => list === "*" || list.includes(name)));
  const problem = context.dialect.recordingProblem({ table: shape, operations, columns });
  if (problem !== undefined) throw new Rejection(problem, { dangling: true, code: "not-supported" });
}
