/** Filters by aggregates of related rows: `articles_aggregate: {count: {…}}`. */

import { lazy, sortedMap } from "../../values/lazy.ts";
import type { Column } from "../definitions/column.ts";
import type { AggregatePredicate } from "../definitions/dialect.ts";
import { isEnumValueName, predicateSuffix } from "../definitions/naming.ts";
import type { SourceDefinition } from "../definitions/table.ts";
import type { ArrayRelationship, TableView } from "../definitions/view.ts";
import { argument } from "./argument.ts";
import { selectColumnEnum } from "./column-enum.ts";
import { comparisonType } from "./comparison-types.ts";
import type { TypeRegistry } from "./registry.ts";
import type { EnumTypeDef, InputField, InputObjectTypeDef, InputTypeDef } from "./types.ts";

type FilterOf = (view: TableView) => InputObjectTypeDef;

/**
 * Returns the filters for a view's array relationships whose rows the role may aggregate.
 * @param filterOf returns the filter type of another view
 */
export function* aggregateFilters(
  types: TypeRegistry,
  view: TableView,
  filterOf: FilterOf,
): Iterable<readonly [string, InputField]> {
  const { naming, dialect, hidesAggregatePredicates } = view.table.source;
  if (hidesAggregatePredicates || dialect.aggregatePredicates.length === 0) return;
  for (const [name, relationship] of Object.entries(view.relationships)) {
    if (relationship.kind !== "array" || !relationship.aggregations) continue;
    yield [
      naming.joined(name, "aggregate"),
      {
        type: () => predicatesType(types, relationship, filterOf),
        list: false,
        required: false,
        nullIsAbsent: false,
        meta: { kind: "aggregate_predicate", relationship },
      },
    ];
  }
}

/** Returns the type with one field for each aggregate function that has suitable columns. Requests use exactly one. */
function predicatesType(types: TypeRegistry, { target }: ArrayRelationship, filterOf: FilterOf): InputObjectTypeDef {
  const view = target();
  const { naming, dialect } = view.table.source;
  const name = typeName(view, predicateSuffix);
  return types.of(view.table.source).get<InputObjectTypeDef>(name, () => ({
    kind: "input",
    name,
    fields: lazy(() =>
      sortedMap(
        dialect.aggregatePredicates
          .filter((predicate) => predicate.takes === "columns" || columnsFor(predicate, view).length > 0)
          .map((predicate) => [
            naming.field(predicate.name),
            {
              type: () => predicateType(types, view, predicate, filterOf),
              list: false,
              required: false,
              nullIsAbsent: false,
              meta: { kind: "aggregate_function", predicate },
            },
          ]),
      ),
    ),
  }));
}

/** Returns the columns of the type that the function takes, without columns whose names are not valid enum values. */
export function columnsFor({ type }: AggregatePredicate, { columns }: TableView): readonly Column[] {
  return columns.filter(
    ({ field, type: own }) => own.graphql === type.graphql && own.element === undefined && isEnumValueName(field),
  );
}

/**
 * Returns the type `{arguments, distinct, filter, predicate}`.
 * @param place first part of its name after the table
 */
export function predicateType(
  types: TypeRegistry,
  view: TableView,
  predicate: AggregatePredicate,
  filterOf: FilterOf,
  place = predicateSuffix,
): InputObjectTypeDef {
  const { source } = view.table;
  const name = typeName(view, `${place}_${predicate.name}`);
  const optional = (field: InputField): InputField => ({ ...field, nullIsAbsent: true });
  return types.of(view.table.source).get<InputObjectTypeDef>(name, () => ({
    kind: "input",
    name,
    fields: lazy(() =>
      sortedMap([
        ...argumentsField(types, view, predicate, place),
        ["distinct", optional(argument(() => types.scalar("Boolean"), undefined))],
        ["filter", optional(argument(() => filterOf(view), undefined))],
        ["predicate", argument(() => comparisonType(types, source, predicate.type), undefined, { required: true })],
      ]),
    ),
  }));
}

function* argumentsField(
  types: TypeRegistry,
  view: TableView,
  predicate: AggregatePredicate,
  place: string,
): Iterable<readonly [string, InputField]> {
  const required = (type: () => InputTypeDef) => argument(type, undefined, { required: true });
  switch (predicate.takes) {
    case "columns": {
      if (view.columns.length === 0) return;
      const columns = argument(() => selectColumnEnum(types, view), undefined, { list: true });
      yield ["arguments", { ...columns, nullIsAbsent: true }];
      break;
    }
    case "column":
      yield ["arguments", required(() => argumentEnum(types, view, predicate, place))];
      break;
    case "pair":
      yield ["arguments", required(() => pairType(types, view, predicate, place))];
  }
}

/** Returns the type `{X, Y}`. */
function pairType(
  types: TypeRegistry,
  view: TableView,
  predicate: AggregatePredicate,
  place: string,
): InputObjectTypeDef {
  const name = typeName(view, `${place}_${predicate.name}_arguments`);
  const column = () => argument(() => argumentEnum(types, view, predicate, place), undefined, { required: true });
  return types.of(view.table.source).get<InputObjectTypeDef>(name, () => ({
    kind: "input",
    name,
    fields: lazy(
      () =>
        new Map([
          ["X", column()],
          ["Y", column()],
        ]),
    ),
  }));
}

const takenTypes = new WeakMap<SourceDefinition, ReadonlySet<string>>();

/** Returns the name of an input, without the prefix and suffix of type names unless another source has such a type. */
function typeName({ table: { source, type } }: TableView, suffix: string): string {
  const { naming } = source;
  let taken = takenTypes.get(source);
  if (taken === undefined) {
    taken = new Set(source.takenTypes);
    takenTypes.set(source, taken);
  }
  return taken.has(naming.joined(type, predicateSuffix)) ? naming.type(type, suffix) : naming.joined(type, suffix);
}

function argumentEnum(types: TypeRegistry, view: TableView, predicate: AggregatePredicate, place: string): EnumTypeDef {
  const { table } = view;
  const { naming } = table.source;
  const what = `${table.type}_${place}_${predicate.name}_arguments_columns`;
  const name = naming.type(table.type, `select_column_${what}`);
  return types.of(view.table.source).get<EnumTypeDef>(name, () => ({
    kind: "enum",
    name,
    description: `select "${what}" columns of table "${table.displayName}"`,
    values: new Map(
      columnsFor(predicate, view).map((column) => [
        column.field,
        { description: "column name", meta: { kind: "column", column } as const },
      ]),
    ),
  }));
}
