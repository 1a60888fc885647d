/** The argument `order_by` of groups: by their keys, and by aggregates of their rows. */
import type { TableView } from "../definitions/view.ts";
import { argument } from "./argument.ts";
import { argumentsOfAggregate, countArguments, offeredAggregates } from "./column-aggregate-types.ts";
import { orderByEnum, selectColumnEnum } from "./column-enum.ts";
import { filterType } from "./filter-types.ts";
import {
  derivedColumns,
  groupPartEnum,
  input,
  keyRelationships,
  type Named,
  optional,
  pathArgument,
} from "./group-input-types.ts";
import { aggregateOrderingType, orderField } from "./order-types.ts";
import type { TypeRegistry } from "./registry.ts";
import type { InputMeta, InputObjectTypeDef, InputTypeDef } from "./types.ts";

/** Returns the ordering of groups by their keys, and by aggregates of their rows. */
export function groupOrderType(types: TypeRegistry, view: TableView): InputObjectTypeDef {
  const description = `Ordering of groups of "${view.table.displayName}".`;
  return input(types, view, "aggregate_group_order_by", description, () => [
    ["aggregate", optional(argument(() => aggregateOrderType(types, view), undefined))],
    ["key", optional(argument(() => keyOrderType(types, view), undefined))],
  ]);
}

/**
 * Returns the orderings by an aggregate: those of related rows, and aggregates with arguments. The latter have the
 * arguments of the aggregate's field, and a filter of the rows.
 */
function aggregateOrderType(types: TypeRegistry, view: TableView): InputObjectTypeDef {
  const of = (name: string, args: Iterable<Named>, meta: InputMeta): Named => {
    const suffix = `aggregate_group_${name}_order_by`;
    const members = (): readonly Named[] => [
      ...args,
      ["filter", optional(argument(() => filterType(types, view), undefined))],
      ["order", argument(() => orderByEnum(types, view.table.source), undefined, { required: true })],
    ];
    const type = () => input(types, view, suffix, undefined, members);
    return [view.table.source.naming.field(name), orderField(type, meta)];
  };
  return input(types, view, "aggregate_group_aggregate_order_by", undefined, () => [
    ...aggregateOrderingType(types, view).fields(),
    of("count_of", countArguments(types, view), { kind: "count_of" }),
    ...offeredAggregates(view).map(({ name }) =>
      of(name, argumentsOfAggregate(types, view, name), { kind: "column_aggregate", aggregate: name }),
    ),
  ]);
}

function keyOrderType(types: TypeRegistry, view: TableView): InputObjectTypeDef {
  const { source } = view.table;
  return input(types, view, "aggregate_group_key_order_by", undefined, () => [
    ...Object.entries(derivedColumns(view)).flatMap(([kind, columns]): readonly Named[] =>
      columns.length === 0 ? [] : [[kind, optional(argument(() => derivedOrderType(types, view), undefined))]],
    ),
    ...view.columns.map(
      (column): Named => [column.field, orderField(() => orderByEnum(types, source), { kind: "column", column })],
    ),
    ...keyRelationships(view).map(([field, relationship]): Named => {
      const type = () => keyOrderType(types, relationship.target());
      return [field, orderField(type, { kind: "relationship", relationship })];
    }),
  ]);
}

/** Returns the type of orderings by a key that is derived from a column. */
function derivedOrderType(types: TypeRegistry, view: TableView): InputObjectTypeDef {
  return input(types, view, "aggregate_group_derived_order_by", undefined, function* () {
    const { _part, _at } = derivedColumns(view);
    const required = (type: () => InputTypeDef) => argument(type, undefined, { required: true });
    yield ["column", required(() => selectColumnEnum(types, view))];
    yield ["order", required(() => orderByEnum(types, view.table.source))];
    if (_part.length > 0) yield ["part", optional(argument(() => groupPartEnum(types, view), undefined))];
    if (_at.length > 0) yield ["path", optional(pathArgument(false))];
  });
}
