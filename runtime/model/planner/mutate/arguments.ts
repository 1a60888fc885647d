/** Arguments of updates and deletes: conditions, and new values of columns. */

import { EngineError, invariant } from "../../../values/errors.ts";
import type { Alias, Column } from "../../definitions/column.ts";
import type { UpdateOperator } from "../../definitions/dialect.ts";
import { type Sql, sql, verbatim } from "../../definitions/sql.ts";
import type { TableView } from "../../definitions/view.ts";
import type { Input, InputMember } from "../request/input.ts";
import { type BuildContext, operand } from "../select/context.ts";
import { condition } from "../select/where.ts";
import { columnEncoder } from "./insert.ts";
import type { Assignment } from "./update.ts";

/** By name. */
export type Arguments = ReadonlyMap<string, Input>;

/** Returns the members of an object by name. */
export function membersOf(input: Input | undefined): Arguments {
  return new Map(input?.kind === "object" ? input.members.map(({ name, value }) => [name, value]) : []);
}

/** Returns the condition of `where`. */
export function whereOf(input: Input | undefined, context: BuildContext): (row: Alias) => Sql | undefined {
  return (row) => (input ? condition(input, row, context) : undefined);
}

/**
 * Returns the new values of columns, given by the update operators.
 * @throws EngineError `validation-failed` for a column with several values
 */
export function assignmentsOf({ table }: TableView, args: Arguments, path: string): readonly Assignment[] {
  const { dialect, naming } = table.source;
  const assignments = dialect.updateOperators.flatMap((operator) =>
    operatorAssignments(operator, args.get(naming.field(operator.name))),
  );
  checkColumns(assignments, path);
  return assignments;
}

function operatorAssignments(operator: UpdateOperator, input: Input | undefined): Assignment[] {
  if (input?.kind !== "object") return [];
  return input.members.map((member): Assignment => {
    const column = columnOf(member);
    const type = operator.operand ?? column.type;
    const value = (): Sql => operand(member.value, type, columnEncoder({ type, nullable: column.nullable }));
    return { column, value: (row) => operator.sql(sql`${row}.${verbatim(column.sql)}`, value()) };
  });
}

function columnOf({ name, meta }: InputMember): Column {
  invariant(meta.kind === "column", `${name} is a column`);
  return meta.column;
}

function checkColumns(assignments: readonly Assignment[], path: string): void {
  const seen = new Set<Column>();
  const repeated = new Set<string>();
  for (const { column } of assignments) {
    if (seen.has(column)) repeated.add(column.field);
    seen.add(column);
  }
  if (repeated.size === 0) return;
  const names = [...repeated].map((name) => `'${name}'`).join(", ");
  throw new EngineError("validation-failed", path, `Column found in multiple operators: [${names}].`);
}
