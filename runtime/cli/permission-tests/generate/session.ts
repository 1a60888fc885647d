/** Session variables that the permissions of a role use, with values. */

import type { AnalyzedTable, Operand, Predicate } from "../../../../compiler/2-analyze/analyzed-table.ts";
import type { Shape, TypeRef } from "../../../../compiler/shape/shape.ts";
import { sessionPrefix } from "../../../values/session.ts";
import { listOperators, sessionValue } from "./values.ts";

interface Use {
  readonly types: TypeRef[];
  isList: boolean;
}

/** Returns the variables of a role's permissions on a table, in the order of their first use. */
export function sessionOf(role: string, table: AnalyzedTable, shape: Shape): ReadonlyMap<string, string> {
  const uses = new Map<string, Use>();
  const select = table.select.get(role);
  const insert = table.insert.get(role);
  const update = table.update.get(role);
  for (const condition of [
    select?.filter,
    insert?.check,
    update?.filter,
    update?.check,
    table.delete.get(role)?.filter,
  ]) {
    if (condition) collect(condition, uses);
  }
  for (const { column, value } of [...(insert?.presets ?? []), ...(update?.presets ?? [])]) {
    use(uses, value, column.shape.type, "_eq");
  }
  const entries = [...uses].map(([name, { types, isList }], index): [string, string] => [
    name,
    name === `${sessionPrefix}role` ? role : sessionValue(types, index, shape, isList),
  ]);
  return new Map(entries);
}

function use(uses: Map<string, Use>, operand: Operand, type: TypeRef, operator: string): void {
  if (operand.kind !== "session") return;
  const known = uses.get(operand.variable) ?? { types: [], isList: false };
  known.types.push(type);
  known.isList ||= listOperators.has(operator);
  uses.set(operand.variable, known);
}

function collect(predicate: Predicate, uses: Map<string, Use>): void {
  switch (predicate.kind) {
    case "and":
    case "or":
      for (const item of predicate.items) collect(item, uses);
      return;
    case "not":
      collect(predicate.item, uses);
      return;
    case "related":
    case "permitted":
    case "exists":
    case "computed_rows":
      collect(predicate.where, uses);
      return;
    case "compare":
      use(uses, predicate.operand, predicate.column.type, predicate.operator);
      return;
    case "compare_structured":
      for (const operand of predicate.operands) if (operand) use(uses, operand, predicate.column.type, "_eq");
      return;
    default:
  }
}
