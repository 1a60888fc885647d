/** Binds conditions of event triggers: boolean expressions over the row before a change and the row after it. */
import type { EventCondition } from "../catalog/model.ts";
import type { ChangePredicate, ColumnOperand, Operand, Predicate } from "./analyzed-table.ts";
import type { PredicateScope } from "./predicate-scope.ts";
import { bindPredicate } from "./predicates.ts";
import { reject } from "./rejection.ts";

/** @throws Rejection for unknown names, and for expressions that event triggers do not support */
export function bindChange(scope: PredicateScope, condition: EventCondition): ChangePredicate {
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
