/** Aggregates with the column as an argument: `string_agg(column: name, separator: ", ")`. */
import type { AggregatePredicate, Dialect } from "./dialect.ts";
import type { ScalarType } from "./scalar-type.ts";

export const columnAggregates = ["bool_and", "bool_or", "percentile_cont", "string_agg"] as const;

export type ColumnAggregate = (typeof columnAggregates)[number];

/** Returns `bool_and` or `bool_or`. */
export const booleanAggregate = (name: ColumnAggregate, dialect: Dialect): AggregatePredicate | undefined =>
  dialect.aggregatePredicates.find((predicate) => predicate.name === name);

/** Returns the type of an aggregate's values; `undefined` if the database has no such aggregate. */
export function columnAggregateType(name: ColumnAggregate, dialect: Dialect): ScalarType | undefined {
  const { groups } = dialect;
  if (name === "string_agg") return groups.textType;
  return name === "percentile_cont" ? groups.comparedNumber : booleanAggregate(name, dialect)?.type;
}

/** Returns true if an aggregate accepts columns of a type. */
export function aggregatesColumn(name: ColumnAggregate, type: ScalarType, dialect: Dialect): boolean {
  if (name === "string_agg") return dialect.groups.isText(type);
  if (name === "percentile_cont") return dialect.groups.percentile.supports(type);
  return type.element === undefined && type.graphql === booleanAggregate(name, dialect)?.type.graphql;
}
