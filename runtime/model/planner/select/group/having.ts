/** Builds conditions on the aggregates of groups. */
import { type ColumnAggregate, columnAggregateType } from "../../../definitions/column-aggregates.ts";
import type { AggregatePredicate } from "../../../definitions/dialect.ts";
import { allOf, inParentheses, joinSql, type Sql, sql } from "../../../definitions/sql.ts";
import type { Input, InputMember } from "../../request/input.ts";
import type { AggregatedValues, Carried } from "../carried.ts";
import { aggregateValue, callPredicate, columnAggregate, countOf } from "../column-aggregate.ts";
import type { BuildContext } from "../context.ts";
import { comparison } from "../where.ts";
import { columnOf, membersOf } from "./keys.ts";

/** The rows of groups. */
export interface GroupedRows {
  readonly carried: Carried;
  readonly context: BuildContext;
}

/** Returns the condition on a group, or `undefined` if all groups match. */
export function havingCondition(input: Input | undefined, rows: GroupedRows): Sql | undefined {
  if (input?.kind !== "object") return undefined;
  return allOf(input.members.map((member) => memberCondition(member, rows)));
}

function memberCondition({ meta, value }: InputMember, rows: GroupedRows): Sql | undefined {
  const { dialect } = rows.context;
  const items = value.kind === "list" ? value.items : [value];
  switch (meta.kind) {
    case "and":
      return allOf(items.map((item) => havingCondition(item, rows)));
    case "or": {
      if (items.length === 0) return dialect.never;
      const conditions = items.map((item) => inParentheses(havingCondition(item, rows) ?? dialect.always));
      return inParentheses(joinSql(conditions, " or "));
    }
    case "not":
      return sql`not (${havingCondition(value, rows) ?? dialect.always})`;
    case "aggregate_function":
      return predicateCondition(meta.predicate, value, rows);
    case "column_aggregate":
      return aggregateCondition(meta.aggregate, value, rows);
    case "function": {
      const { call } = meta.function;
      const members = value.kind === "object" ? value.members : [];
      return allOf(
        members.map((member) => {
          if (member.meta.kind !== "column") return undefined;
          const { column } = member.meta;
          // Averages and sums are compared as numbers, whatever the type of the column.
          const { comparedNumber } = dialect.groups;
          const type = meta.function.on === "numeric" ? comparedNumber : column.type;
          return comparison(member.value, call(rows.carried.column(column), column.type), type, rows.context);
        }),
      );
    }
    default:
      return undefined;
  }
}

/** Returns the condition on `count`, `bool_and` or `bool_or`: `{arguments, distinct, filter, predicate}`. */
function predicateCondition(predicate: AggregatePredicate, input: Input, rows: GroupedRows): Sql | undefined {
  const { context } = rows;
  const given = membersOf(input);
  const compared = given.get("predicate");
  const listed = given.get("arguments");
  if (!compared) return undefined;
  const values = rowsOfFilter(given, rows);
  const column = columnOf(listed);
  const value =
    predicate.takes === "columns" || !column
      ? countOf(listed, given.get("distinct"), values, context)
      : aggregateValue((each) => callPredicate(predicate, each), values.column(column), values, context);
  return comparison(compared, value, predicate.type, context);
}

/** Returns the condition on an aggregate with the column as an argument. */
function aggregateCondition(aggregate: ColumnAggregate, input: Input, rows: GroupedRows): Sql | undefined {
  const { context } = rows;
  const args = membersOf(input);
  const compared = args.get("predicate");
  const type = columnAggregateType(aggregate, context.dialect);
  if (!compared || !type) return undefined;
  const value = columnAggregate(aggregate, { args, path: input.path }, rowsOfFilter(args, rows), context);
  return comparison(compared, value, type, context);
}

/** Returns the rows that the filter of a condition or an ordering selects. */
export function rowsOfFilter(given: ReadonlyMap<string, Input>, { carried }: GroupedRows): AggregatedValues {
  const filter = given.get("filter");
  return carried.where(filter, filter?.path ?? "");
}
