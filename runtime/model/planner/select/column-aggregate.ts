/** Builds counts, and aggregates with the column as an argument. */
import { invariant } from "../../../values/errors.ts";
import { aggregatesColumn, booleanAggregate, type ColumnAggregate } from "../../definitions/column-aggregates.ts";
import type { AggregatePredicate } from "../../definitions/dialect.ts";
import { type Sql, sql, verbatim } from "../../definitions/sql.ts";
import type { Input } from "../request/input.ts";
import { booleanValue } from "../request/input.ts";
import type { SelectedRows } from "../request/selected-field.ts";
import { checkDistinguishable, distinctColumns } from "./arguments.ts";
import { type AggregatedValues, aggregateOf } from "./carried.ts";
import { type BuildContext, operand } from "./context.ts";
import { columnOf, fractionValue, unsupported } from "./group/keys.ts";

/** The arguments of an aggregate, in a selection, a condition or an ordering. */
export type AggregateCall = Pick<SelectedRows, "args" | "path">;

/**
 * Returns the number of rows, or of rows in which columns are not null.
 * @param columns their list; absent: all rows
 */
export function countOf(
  columns: Input | undefined,
  distinct: Input | undefined,
  values: AggregatedValues,
  context: BuildContext,
): Sql {
  const listed = distinctColumns(columns);
  const isDistinct = distinct?.kind === "value" && booleanValue(distinct, context.variables);
  if (isDistinct && columns) checkDistinguishable(listed, columns.path);
  const counted = listed.map((column) => ({ value: values.column(column), type: column.type }));
  return aggregateOf((given) => context.dialect.count(given, isDistinct), counted, values, context);
}

/** Returns the number of rows for the arguments of `count`. */
export const countOfArguments = ({ args }: AggregateCall, values: AggregatedValues, context: BuildContext): Sql =>
  countOf(args.get("columns") ?? args.get("column"), args.get("distinct"), values, context);

/**
 * Returns an aggregate with the column as an argument.
 * @throws EngineError `validation-failed` for a column whose type the aggregate does not support
 */
export function columnAggregate(
  name: ColumnAggregate,
  call: AggregateCall,
  values: AggregatedValues,
  context: BuildContext,
): Sql {
  const { dialect } = context;
  const column = columnOf(call.args.get("column"));
  invariant(column, "an aggregate has a column");
  if (!aggregatesColumn(name, column.type, dialect)) throw unsupported(call.path, column, ...needs(name));
  const { percentile } = dialect.groups;
  if (name === "percentile_cont" && "callRanked" in percentile) {
    return percentile.callRanked(fractionOf(call, context), values.ranked(column, percentile));
  }
  const aggregate = aggregateFunction(name, call, values, context);
  return aggregateValue(aggregate, values.column(column), values, context);
}

/** Returns what columns of other types do not have, and which columns have it. */
function needs(name: ColumnAggregate): readonly [what: string, supporting: string] {
  if (name === "string_agg") return ["'string_agg'", "texts"];
  return name === "percentile_cont" ? ["percentiles", "numbers"] : [`'${name}'`, "booleans"];
}

function aggregateFunction(
  name: ColumnAggregate,
  call: AggregateCall,
  values: AggregatedValues,
  context: BuildContext,
): (value: Sql) => Sql {
  const { dialect } = context;
  const { groups } = dialect;
  if (name === "string_agg") {
    const separator = operand(argumentOf(call, "separator"), groups.textType);
    const position = values.orderOf(call);
    return (value) => groups.joinTexts(value, separator, position);
  }
  if (name === "percentile_cont") {
    const { percentile } = groups;
    invariant("call" in percentile, "percentiles are aggregates");
    const fraction = fractionOf(call, context);
    return (value) => percentile.call(fraction, value);
  }
  const predicate = booleanAggregate(name, dialect);
  invariant(predicate, `the database supports ${name}`);
  return (value) => callPredicate(predicate, value);
}

const fractionOf = (call: AggregateCall, { dialect }: BuildContext): Sql =>
  operand(argumentOf(call, "fraction"), dialect.groups.comparedNumber, fractionValue);

function argumentOf({ args }: AggregateCall, name: string): Input {
  const input = args.get(name);
  invariant(input, `an aggregate has the argument ${name}`);
  return input;
}

/** Returns the call of an aggregate that conditions support. */
export const callPredicate = ({ sql: of }: AggregatePredicate, values: Sql): Sql =>
  typeof of === "string" ? sql`${verbatim(of)}(${values})` : of(values);

/** Returns an aggregate of one value. */
export const aggregateValue = (
  aggregate: (value: Sql) => Sql,
  value: Sql,
  values: AggregatedValues,
  context: BuildContext,
): Sql => aggregateOf(([only]) => aggregate(only?.value ?? value), [{ value }], values, context);
