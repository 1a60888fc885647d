/** Builds calls of functions, passing arguments by position or by name. */

import { EngineError } from "../../../values/errors.ts";
import { type Alias, whereVisible } from "../../definitions/column.ts";
import {
  type ComputedValue,
  type FunctionArgument,
  type FunctionCall,
  requestArguments,
} from "../../definitions/function.ts";
import { wholeSessionSlot } from "../../definitions/parameters.ts";
import { joinSql, parameter, type Sql, sql, verbatim } from "../../definitions/sql.ts";
import type { SelectedRows } from "../request/selected-field.ts";
import { type BuildContext, operand } from "./context.ts";
import type { Origin } from "./scope.ts";

/**
 * Returns the call of a function by a field of a request.
 * @param row row of the computed field's table
 */
export function callOfField(call: FunctionCall, field: SelectedRows, context: BuildContext, row?: Alias): Sql {
  const args = field.args.get("args");
  const given = new Map(args?.kind === "object" ? args.members.map((member) => [member.name, member.value]) : []);
  const values = new Map<number, Sql>();
  for (const { position, field: name, argument } of requestArguments(call)) {
    const value = given.get(name);
    if (value) values.set(position, operand(value, argument.type));
  }
  return callSql(call, values, context, { row, path: args?.path ?? field.path });
}

/** Returns the call of a computed field without request arguments. */
export function callOfRow(call: FunctionCall, row: Alias, context: BuildContext): Sql {
  return callSql(call, new Map(), context, { row, path: "$" });
}

/** Returns the value of a computed field of a request; NULL if the role may not read it. */
export function valueOfField(computed: ComputedValue, field: SelectedRows, context: BuildContext, row: Alias): Sql {
  return whereVisible(computed, callOfField(computed, field, context, row), row, context.session);
}

/** Returns the value of a computed field without request arguments; NULL if the role may not read it. */
export function valueOfRow(computed: ComputedValue, row: Alias, context: BuildContext): Sql {
  return whereVisible(computed, callOfRow(computed, row, context), row, context.session);
}

/**
 * Returns the rows of a call. A function that does not return a set returns a row of NULLs instead of no row; that row
 * is removed.
 */
export function rowsOfCall({ function: { returnsSet } }: FunctionCall, rows: Sql): Origin {
  return returnsSet ? { rows } : { rows, correlation: (row) => sql`not (${row}.* is null)` };
}

function callSql(
  call: FunctionCall,
  values: ReadonlyMap<number, Sql>,
  context: BuildContext,
  { row, path }: { readonly row: Alias | undefined; readonly path: string },
): Sql {
  const args: Sql[] = [];
  let isGap = false;
  for (const [position, argument] of call.function.arguments.entries()) {
    const value = ownValue(call, position, argument, row) ?? values.get(position);
    if (value === undefined && context.dialect.defaultArgument) {
      args.push(context.dialect.defaultArgument);
    } else if (value === undefined) {
      if (!argument.hasDefault) throw notSupported(path, "Non default arguments cannot be omitted");
      isGap = true;
    } else if (!isGap) {
      args.push(value);
    } else if (argument.sql === undefined) {
      throw notSupported(path, "Only last set of positional arguments can be omitted");
    } else {
      args.push(context.dialect.namedArgument(verbatim(argument.sql), value));
    }
  }
  return sql`${verbatim(call.function.sql)}(${joinSql(args, ", ")})`;
}

/** Returns the arguments supplied by the engine. `t.*` is the row even if the table has a column with the name `t`. */
function ownValue(
  call: FunctionCall,
  position: number,
  { type }: FunctionArgument,
  row: Alias | undefined,
): Sql | undefined {
  if (position === call.row && row !== undefined) return call.rowType ? typedRow(row, call.rowType) : sql`${row}.*`;
  const column = call.columns?.[position];
  if (column !== undefined && row !== undefined) return sql`${row}.${verbatim(column)}`;
  return position === call.session ? type.operand(parameter(wholeSessionSlot)) : undefined;
}

function typedRow(row: Alias, { type, columns }: NonNullable<FunctionCall["rowType"]>): Sql {
  const values = columns.map((column) => sql`${row}.${verbatim(column)}`);
  return sql`row(${joinSql(values, ", ")})::${verbatim(type)}`;
}

function notSupported(path: string, message: string): EngineError {
  return new EngineError("not-supported", path, message);
}
