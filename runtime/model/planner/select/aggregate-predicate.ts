/** Builds conditions on aggregates of related rows. */

import { EngineError } from "../../../values/errors.ts";
import { compareText } from "../../../values/text-order.ts";
import { type Alias, columnValue } from "../../definitions/column.ts";
import type { AggregatePredicate, CountedValue } from "../../definitions/dialect.ts";
import type { ScalarType } from "../../definitions/scalar-type.ts";
import { allOf, joinSql, type Sql, sql, verbatim } from "../../definitions/sql.ts";
import type { ArrayRelationship } from "../../definitions/view.ts";
import type { Input } from "../request/input.ts";
import { booleanValue } from "../request/input.ts";
import type { BuildContext } from "./context.ts";
import { placeOfTable, refuseApart } from "./places.ts";
import { readCondition } from "./scope.ts";

/** Builds the conditions inside an aggregate filter; passed in because filters and aggregates are mutually recursive. */
export interface Conditions {
  readonly rows: (filter: Input, row: Alias, context: BuildContext) => Sql | undefined;
  readonly value: (comparison: Input, left: Sql, type: ScalarType, context: BuildContext) => Sql | undefined;
}

/**
 * Builds the condition on an aggregate of the related rows that the role may read.
 * @throws EngineError `validation-failed` unless exactly one aggregate is given
 */
export function aggregateCondition(
  relationship: ArrayRelationship,
  input: Input,
  row: Alias,
  context: BuildContext,
  conditions: Conditions,
): Sql | undefined {
  const { target, join } = relationship;
  refuseApart(relationship, row, "a condition on aggregates", input.path, context);
  const [member, ...others] = input.kind === "object" ? input.members : [];
  const meta = member?.meta;
  if (member === undefined || others.length > 0 || meta?.kind !== "aggregate_function") {
    throw new EngineError("validation-failed", input.path, "exactly one predicate should be specified");
  }
  const { predicate } = meta;
  const given = new Map(
    member.value.kind === "object" ? member.value.members.map(({ name, value }) => [name, value]) : [],
  );
  const view = target();
  const other = context.alias();
  context.places.set(other, placeOfTable(view));
  const { from, value } = aggregateOf(predicate, given, other, context);
  const compared = given.get("predicate");
  const having = compared && conditions.value(compared, value, predicate.type, context);
  if (having === undefined) return undefined;
  const filter = given.get("filter");
  const where =
    allOf([
      join.on(row, other),
      readCondition(view, other, context),
      filter && conditions.rows(filter, other, context),
    ]) ?? context.dialect.always;
  return sql`exists (select 1 from ${from(sql`${verbatim(view.table.sql)} ${other} where ${where}`)} having ${having})`;
}

interface Aggregate {
  /**
   * Returns the aggregate's FROM item.
   * @param rows FROM item with its WHERE clause
   */
  readonly from: (rows: Sql) => Sql;
  readonly value: Sql;
}

function aggregateOf(
  predicate: AggregatePredicate,
  given: ReadonlyMap<string, Input>,
  row: Alias,
  context: BuildContext,
): Aggregate {
  const columns = columnsOf(given.get("arguments"), row, context);
  const distinct = given.get("distinct");
  const isDistinct = distinct?.kind === "value" && booleanValue(distinct, context.variables);
  const aggregate = (counted: readonly CountedValue[]): Sql => {
    if (predicate.takes === "columns") return context.dialect.count(counted, isDistinct);
    const values = counted.map(({ value }) => value);
    const list = sql`${verbatim(isDistinct ? "distinct " : "")}${joinSql(values, ", ")}`;
    return typeof predicate.sql === "string"
      ? sql`${verbatim(predicate.sql)}(${list})`
      : predicate.sql(joinSql(values, ", "));
  };
  if (columns.every(({ isHidden }) => !isHidden)) return { from: (rows) => rows, value: aggregate(columns) };
  // Conditions on reading a column may use sub-selects, which SQL Server does not allow inside aggregates.
  const inner = context.alias();
  const named = columns.map(({ value }, i) => sql`${value} as ${verbatim(`c${i + 1}`)}`);
  return {
    from: (rows) => sql`(select ${joinSql(named, ", ")} from ${rows}) ${inner}`,
    value: aggregate(columns.map(({ type }, i) => ({ type, value: sql`${inner}.${verbatim(`c${i + 1}`)}` }))),
  };
}

interface AggregatedColumn extends CountedValue {
  /** True if the role can read the column only in some rows. */
  readonly isHidden: boolean;
}

/** Returns one column, several columns, or the two columns of a pair. */
function columnsOf(input: Input | undefined, row: Alias, context: BuildContext): readonly AggregatedColumn[] {
  switch (input?.kind) {
    case "enum": {
      if (input.meta.kind !== "column") return [];
      const { column } = input.meta;
      const value = columnValue(column, row, context.session);
      return [{ value, type: column.type, isHidden: column.visible !== undefined }];
    }
    case "list":
      return input.items.flatMap((item) => columnsOf(item, row, context));
    case "object":
      return [...input.members]
        .sort((a, b) => compareText(a.name, b.name))
        .flatMap(({ value }) => columnsOf(value, row, context));
    default:
      return [];
  }
}
