/** Builds conditions on the aggregates of groups. */
import type { AggregatePredicate, CountedValue } from "../../../definitions/dialect.ts";
import { allOf, inParentheses, joinSql, type Sql, sql, verbatim } from "../../../definitions/sql.ts";
import type { Input, InputMember } from "../../request/input.ts";
import { booleanValue } from "../../request/input.ts";
import { aggregateOf, type Carried } from "../carried.ts";
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
  const { carried, context } = rows;
  const { dialect } = context;
  const given = membersOf(input);
  const compared = given.get("predicate");
  if (!compared) return undefined;
  const filter = given.get("filter");
  const rowsOfFilter = carried.where(filter, filter?.path ?? "");
  const listed = given.get("arguments");
  const columns = (listed?.kind === "list" ? listed.items : [listed]).flatMap((item) => columnOf(item) ?? []);
  const values: CountedValue[] = columns.map((column) => ({ value: carried.column(column), type: column.type }));
  if (predicate.takes === "columns") {
    const distinct = given.get("distinct");
    const isDistinct = distinct?.kind === "value" && booleanValue(distinct, context.variables);
    const count = (given: readonly CountedValue[]): Sql => dialect.count(given, isDistinct);
    return comparison(compared, aggregateOf(count, values, rowsOfFilter, context), predicate.type, context);
  }
  const call = (given: readonly CountedValue[]): Sql => {
    const list = joinSql(
      given.map(({ value }) => value),
      ", ",
    );
    return typeof predicate.sql === "string" ? sql`${verbatim(predicate.sql)}(${list})` : predicate.sql(list);
  };
  return comparison(compared, aggregateOf(call, values, rowsOfFilter, context), predicate.type, context);
}
