/** Orderings: `T_order_by` and the aggregate orderings of array relationships. */

import { lazy, sortedMap } from "../../values/lazy.ts";
import type { Column } from "../definitions/column.ts";
import type { AggregateFunction } from "../definitions/dialect.ts";
import { type Relationship, type TableView, tableRelationships } from "../definitions/view.ts";
import { orderByEnum } from "./column-enum.ts";
import { distanceOrderings } from "./distance-types.ts";
import { isPlain } from "./function-types.ts";
import type { TypeRegistry } from "./registry.ts";
import type { InputField, InputMeta, InputObjectTypeDef, InputTypeDef } from "./types.ts";

export function orderField(type: () => InputTypeDef, meta: InputMeta): InputField {
  return { type, list: false, required: false, nullIsAbsent: true, meta };
}

/**
 * Returns the ordering of a table: by its columns, its object relationships, and aggregates of array relationships
 * whose rows the role may aggregate.
 */
export function orderingType(types: TypeRegistry, view: TableView): InputObjectTypeDef {
  const { table } = view;
  const { naming } = table.source;
  const name = naming.type(table.type, "order_by");
  const byRelationship = ([field, relationship]: readonly [string, Relationship]) =>
    relationship.kind === "object"
      ? ([
          field,
          orderField(() => orderingType(types, relationship.target()), { kind: "relationship", relationship }),
        ] as const)
      : ([
          naming.joined(field, "aggregate"),
          orderField(() => aggregateOrderingType(types, relationship.target()), { kind: "aggregate", relationship }),
        ] as const);
  return types.of(table.source).get<InputObjectTypeDef>(name, () => ({
    kind: "input",
    name,
    description: `Ordering options when selecting data from "${table.displayName}".`,
    fields: lazy(() =>
      sortedMap([
        ...orderedColumns(view).map(
          (column) =>
            [column.field, orderField(() => orderByEnum(types, table.source), { kind: "column", column })] as const,
        ),
        ...tableRelationships(view)
          .filter(([, relationship]) => relationship.kind === "object" || relationship.aggregations)
          .map(byRelationship),
        ...computedOrderings(types, view),
        ...distanceOrderings(types, view),
      ]),
    ),
  }));
}

/** Returns the sortable columns; all columns if none is sortable, because an input type must have a field. */
function orderedColumns({ columns }: TableView): readonly Column[] {
  const ordered = columns.filter(({ type }) => !type.unordered);
  return ordered.length === 0 ? columns : ordered;
}

/**
 * Yields orderings by computed fields without arguments: by the value, or by aggregates of rows that the role may
 * aggregate.
 */
function* computedOrderings(types: TypeRegistry, view: TableView): Iterable<readonly [string, InputField]> {
  const { table } = view;
  for (const [field, computed] of Object.entries(view.computedFields)) {
    if (computed.kind === "value") {
      if (isPlain(computed) && !computed.type.unordered)
        yield [field, orderField(() => orderByEnum(types, table.source), { kind: "computed", computed })];
    } else if (isPlain(computed.call) && computed.target().aggregations) {
      const type = () => aggregateOrderingType(types, computed.target());
      yield [
        table.source.naming.joined(field, "aggregate"),
        orderField(type, { kind: "computed_aggregate", computed }),
      ];
    }
  }
}

/** Returns the type for ordering by an aggregate of related rows: their count, or a function of their columns. */
export function aggregateOrderingType(types: TypeRegistry, view: TableView): InputObjectTypeDef {
  const { table } = view;
  const { naming, dialect } = table.source;
  const name = naming.type(table.type, "aggregate_order_by");
  const functions = [...dialect.aggregates].filter(([, f]) => columnsOf(view, f).length > 0);
  return types.of(table.source).get<InputObjectTypeDef>(name, () => ({
    kind: "input",
    name,
    description: `order by aggregate values of table "${table.displayName}"`,
    fields: lazy(() =>
      sortedMap([
        ["count", orderField(() => orderByEnum(types, table.source), { kind: "count" })],
        ...functions.map(
          ([field, f]) =>
            [
              naming.field(field),
              orderField(() => functionOrderingType(types, view, field, f), { kind: "function", function: f }),
            ] as const,
        ),
      ]),
    ),
  }));
}

function functionOrderingType(
  types: TypeRegistry,
  view: TableView,
  field: string,
  aggregate: AggregateFunction,
): InputObjectTypeDef {
  const { table } = view;
  const { naming } = table.source;
  const name = naming.type(table.type, `${field}_order_by`);
  return types.of(table.source).get<InputObjectTypeDef>(name, () => ({
    kind: "input",
    name,
    description: `order by ${field}() on columns of table "${table.displayName}"`,
    fields: lazy(() =>
      sortedMap(
        columnsOf(view, aggregate).map(
          (column) =>
            [column.field, orderField(() => orderByEnum(types, table.source), { kind: "column", column })] as const,
        ),
      ),
    ),
  }));
}

/** Returns the columns of a view that an aggregate function supports. */
export function columnsOf(view: TableView, aggregate: AggregateFunction): readonly Column[] {
  return view.columns.filter((column) => column.type[aggregate.on]);
}
