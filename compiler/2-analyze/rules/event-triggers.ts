/**
 * Rules of event triggers: their columns exist, the database supports recording them, and their environment variables
 * exist.
 */
import { type OperationName, operationsOf } from "../../catalog/event-operations.ts";
import type { ColumnList, EventCondition, EventTrigger } from "../../catalog/model.ts";
import type { AnalyzedEventTrigger, ChangePredicate, ColumnOperand, Operand, Predicate } from "../analyzed-table.ts";
import type { PredicateScope } from "../predicate-scope.ts";
import { bindPredicate } from "../predicates.ts";
import { Rejection, reject, rejectUnknown } from "../rejection.ts";
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

/** @throws Rejection for unknown names, and for expressions that event triggers do not support */
function bindChange(scope: PredicateScope, condition: EventCondition): ChangePredicate {
  const items: ChangePredicate[] = [];
  for (const row of ["old", "new"] as const) {
    const expression = condition[row];
    if (expression === undefined) continue;
    const where = bindPredicate(scope, expression);
    checkPredicate(where);
    items.push({ kind: "row", row, where });
  }
  const { _and, _or, _not } = condition;
  if (_and) items.push({ kind: "and", items: _and.map((item) => bindChange(scope, item)) });
  if (_or) items.push({ kind: "or", items: _or.map((item) => bindChange(scope, item)) });
  if (_not) items.push({ kind: "not", item: bindChange(scope, _not) });
  const [only] = items;
  return items.length === 1 && only ? only : { kind: "and", items };
}

/** Refuses everything except values of the row, because the condition is evaluated in the writing transaction. */
function checkPredicate(predicate: Predicate): void {
  switch (predicate.kind) {
    case "and":
    case "or":
      predicate.items.forEach(checkPredicate);
      return;
    case "not":
      checkPredicate(predicate.item);
      return;
    case "is_null":
      checkColumn(predicate.column);
      return;
    case "compare":
      checkColumn(predicate.column);
      checkOperand(predicate.operand);
      return;
    case "compare_structured":
      checkColumn(predicate.column);
      for (const operand of predicate.operands) if (operand) checkOperand(operand);
      return;
    case "compare_columns":
      checkColumn(predicate.left);
      return;
    case "related":
      reject(`the condition of an event trigger cannot follow relationships: "${predicate.relationship.name}"`);
      break;
    case "permitted":
      reject("the condition of an event trigger cannot use _permitted");
      break;
    case "computed_rows":
      rejectComputed(predicate.computed.name);
      break;
    case "exists":
      reject("the condition of an event trigger cannot use _exists");
      break;
    case "crossSource":
      reject(`the condition of an event trigger cannot use relationships to other sources: "${predicate.rows.source}"`);
  }
}

function checkColumn({ computed }: ColumnOperand): void {
  if (computed) rejectComputed(computed.name);
}

function rejectComputed(name: string): never {
  reject(`the condition of an event trigger cannot use computed fields: "${name}"`);
}

function checkOperand(operand: Operand): void {
  if (operand.kind === "session") {
    reject(`the condition of an event trigger cannot use session variables: "${operand.variable}"`);
  }
}
