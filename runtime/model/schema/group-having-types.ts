/** The argument `having` of groups: conditions on their aggregates. */
import type { Column } from "../definitions/column.ts";
import type { AggregateFunction } from "../definitions/dialect.ts";
import type { ScalarType } from "../definitions/scalar-type.ts";
import type { TableView } from "../definitions/view.ts";
import { columnsFor, predicateType } from "./aggregate-predicate-types.ts";
import { argument } from "./argument.ts";
import { argumentsOfAggregate, type OfferedAggregate, offeredAggregates } from "./column-aggregate-types.ts";
import { comparisonType } from "./comparison-types.ts";
import { filterType } from "./filter-types.ts";
import { input, type Named, optional } from "./group-input-types.ts";
import { columnsOf } from "./order-types.ts";
import type { TypeRegistry } from "./registry.ts";
import type { InputObjectTypeDef } from "./types.ts";

/** Aggregates that have the same input in conditions on related rows. */
const predicates: ReadonlySet<string> = new Set(["count", "bool_and", "bool_or"]);

/** Returns the type of conditions on the aggregates of a group. */
export function groupHavingType(types: TypeRegistry, view: TableView): InputObjectTypeDef {
  const { dialect, hidesAggregatePredicates } = view.table.source;
  const place = hidesAggregatePredicates ? "aggregate_group_having" : undefined;
  const description = `Conditions on aggregates of groups of "${view.table.displayName}". All fields are combined with a logical 'AND'.`;
  return input(types, view, "aggregate_group_having", description, function* (naming) {
    for (const kind of ["and", "or", "not"] as const) {
      const field = argument(() => groupHavingType(types, view), undefined, { list: kind !== "not" });
      yield [`_${kind}`, { ...field, meta: { kind } }];
    }
    for (const predicate of dialect.aggregatePredicates) {
      if (!predicates.has(predicate.name)) continue;
      if (predicate.takes !== "columns" && columnsFor(predicate, view).length === 0) continue;
      const type = () => predicateType(types, view, predicate, (target) => filterType(types, target), place);
      yield [
        naming.field(predicate.name),
        { ...argument(type, undefined), meta: { kind: "aggregate_function", predicate } },
      ];
    }
    for (const offered of offeredAggregates(view)) {
      if (predicates.has(offered.name)) continue;
      const type = () => columnAggregateHavingType(types, view, offered);
      const meta = { kind: "column_aggregate", aggregate: offered.name } as const;
      yield [naming.field(offered.name), { ...argument(type, undefined), meta }];
    }
    for (const [name, f] of dialect.aggregates) {
      if (columnsOf(view, f).length === 0) continue;
      const type = () => functionHavingType(types, view, f);
      yield [naming.field(name), { ...argument(type, undefined), meta: { kind: "function", function: f } }];
    }
  });
}

/** Returns the type of conditions on an aggregate with the column as an argument. */
function columnAggregateHavingType(
  types: TypeRegistry,
  view: TableView,
  { name, type }: OfferedAggregate,
): InputObjectTypeDef {
  const compared = () => comparisonType(types, view.table.source, type);
  return input(types, view, `aggregate_group_having_${name}`, undefined, () => [
    ...argumentsOfAggregate(types, view, name),
    ["filter", optional(argument(() => filterType(types, view), undefined))],
    ["predicate", argument(compared, undefined, { required: true })],
  ]);
}

/** Returns the type of conditions on an aggregate function of each column. */
function functionHavingType(types: TypeRegistry, view: TableView, f: AggregateFunction): InputObjectTypeDef {
  const { source } = view.table;
  const isNumber = f.on === "numeric";
  const suffix = `aggregate_group_having_${isNumber ? "numbers" : "values"}`;
  const typeOf = ({ type }: Column): ScalarType => (isNumber ? source.dialect.groups.comparedNumber : type);
  return input(types, view, suffix, undefined, () =>
    columnsOf(view, f).map((column): Named => {
      const type = () => comparisonType(types, source, typeOf(column));
      return [column.field, { ...argument(type, undefined), meta: { kind: "column", column } }];
    }),
  );
}
