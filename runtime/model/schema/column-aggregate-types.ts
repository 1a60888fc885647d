/** Aggregates with the column as an argument: as fields of aggregates, and in conditions and orderings of groups. */
import { lazy, sortedMap } from "../../values/lazy.ts";
import {
  aggregatesColumn,
  type ColumnAggregate,
  columnAggregates,
  columnAggregateType,
} from "../definitions/column-aggregates.ts";
import { isEnumValueName } from "../definitions/naming.ts";
import type { ScalarType } from "../definitions/scalar-type.ts";
import type { TableView } from "../definitions/view.ts";
import { selectColumnEnum } from "./column-enum.ts";
import { orderingType } from "./order-types.ts";
import type { TypeRegistry } from "./registry.ts";
import { queryArgument } from "./relay-types.ts";
import type { InputField, OutputField } from "./types.ts";

/** An aggregate that some column of a view supports. */
export interface OfferedAggregate {
  readonly name: ColumnAggregate;
  readonly type: ScalarType;
}

export function offeredAggregates({ columns, table }: TableView): readonly OfferedAggregate[] {
  const { dialect } = table.source;
  const named = columns.filter(({ field }) => isEnumValueName(field));
  return columnAggregates.flatMap((name): readonly OfferedAggregate[] => {
    const type = columnAggregateType(name, dialect);
    return type && named.some((column) => aggregatesColumn(name, column.type, dialect)) ? [{ name, type }] : [];
  });
}

/** Returns the arguments of an aggregate, which are also members of its conditions and orderings. */
export function argumentsOfAggregate(
  types: TypeRegistry,
  view: TableView,
  name: ColumnAggregate,
): readonly (readonly [string, InputField])[] {
  const required = { required: true } as const;
  const column: InputField = queryArgument(() => selectColumnEnum(types, view), undefined, required);
  switch (name) {
    case "bool_and":
    case "bool_or":
      return [["column", column]];
    case "percentile_cont":
      return [
        ["column", column],
        ["fraction", queryArgument(() => types.scalar("Float"), undefined, required)],
      ];
    case "string_agg": {
      const order = queryArgument(() => orderingType(types, view), undefined, { list: true });
      return [
        ["column", column],
        [view.table.source.naming.field("order_by"), order],
        ["separator", queryArgument(() => types.scalar("String"), undefined, required)],
      ];
    }
  }
}

/**
 * Yields the fields of these aggregates, which add no types to the schema. A field for each column would add a type for
 * each table.
 */
export function* columnAggregateFields(types: TypeRegistry, view: TableView): Iterable<[string, OutputField]> {
  for (const { name, type } of offeredAggregates(view)) {
    yield [
      view.table.source.naming.field(name),
      {
        type: () => types.scalar(type.graphql),
        list: false,
        required: false,
        args: lazy(() => sortedMap(argumentsOfAggregate(types, view, name))),
        meta: { kind: "column_aggregate", aggregate: name },
      },
    ];
  }
}

/** Returns the arguments of `count`. */
export function countArguments(types: TypeRegistry, view: TableView): ReadonlyMap<string, InputField> {
  const distinct: [string, InputField] = ["distinct", queryArgument(() => types.scalar("Boolean"), undefined)];
  if (view.columns.length === 0) return new Map([distinct]);
  const columns = () => selectColumnEnum(types, view);
  return view.table.source.dialect.countsSeveralColumns
    ? new Map([["columns", queryArgument(columns, undefined, { list: true })], distinct])
    : new Map([["column", queryArgument(columns, undefined)], distinct]);
}
