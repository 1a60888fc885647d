/** Object types and their arguments: `T`, `T_aggregate` and the types below. */
import { invariant } from "../../values/errors.ts";
import { lazy, sortedMap } from "../../values/lazy.ts";
import type { Column } from "../definitions/column.ts";
import type { AggregateFunction } from "../definitions/dialect.ts";
import type { ComputedValue } from "../definitions/function.ts";
import { type ArrayRelationship, keyColumns, type TableView } from "../definitions/view.ts";
import { columnAggregateFields, countArguments } from "./column-aggregate-types.ts";
import { selectColumnEnum } from "./column-enum.ts";
import { filterDeclarations, filterType } from "./filter-types.ts";
import { computedArguments, computedValueField } from "./function-types.ts";
import { isGroupable } from "./group-input-types.ts";
import { type GroupedTypes, groupField } from "./group-types.ts";
import { joinFields, type RowTypes } from "./join-types.ts";
import { nativeArguments } from "./native-types.ts";
import { columnsOf, orderingType } from "./order-types.ts";
import type { TypeRegistry } from "./registry.ts";
import {
  connectionArguments,
  connectionType,
  cursorTexts,
  globalIdField,
  isNode,
  nodeInterface,
  queryArgument,
} from "./relay-types.ts";
import { remoteJoinFields } from "./remote-join-types.ts";
import { topPerArgument } from "./top-per-type.ts";
import { type InputField, noArguments, type ObjectTypeDef, type OutputField } from "./types.ts";

type Named = readonly [string, OutputField];

/** Returns the object type of a table for a role. */
export function objectType(types: TypeRegistry, view: TableView): ObjectTypeDef {
  const { table } = view;
  const name = table.source.naming.type(table.query?.objectType ?? table.type);
  const relay = isNode(view) ? types.relay : null;
  const key = types.entities().has(view) ? { key: keyColumns(view).map(({ field }) => field) } : {};
  return types.of(table.source).get<ObjectTypeDef>(name, () => ({
    kind: "object",
    name,
    ...(table.description === undefined ? {} : { description: table.description }),
    fields: lazy(() =>
      sortedMap([
        ...view.columns.map((column): Named => [column.field, columnField(types, column)]),
        ...relationshipFields(types, view),
        ...joinFields(types, view.remoteRelationships, rowTypes, table.source),
        ...remoteJoinFields(types, view.remoteRelationships, name),
        ...computedFields(types, view),
        ...(relay ? [globalIdField(types, relay, view)] : []),
      ]),
    ),
    ...(relay ? { interfaces: () => [nodeInterface(types, relay, objectType)] } : {}),
    ...key,
  }));
}

/** Row types, for relationships from other types. */
export const rowTypes: RowTypes = { objectType, aggregateType, listArguments };

export const groupedTypes: GroupedTypes = { objectType, aggregateFields, listArguments };

function columnField(types: TypeRegistry, column: Column): OutputField {
  return {
    type: () => types.scalarOf(column.type),
    list: column.type.element !== undefined,
    required: !column.nullable,
    description: () => column.description,
    args: column.type.json ? lazy(() => jsonPathArgument(types)) : noArguments,
    meta: { kind: "column", column },
  };
}

function jsonPathArgument(types: TypeRegistry): ReadonlyMap<string, InputField> {
  return new Map([["path", queryArgument(() => types.scalar("String"), "JSON select path")]]);
}

export function* relationshipFields(types: TypeRegistry, view: TableView): Iterable<Named> {
  const { naming } = view.table.source;
  for (const [field, relationship] of Object.entries(view.relationships)) {
    const type = () => objectType(types, relationship.target());
    const shared = {
      type,
      description: () => relationship.description,
      meta: { kind: "relationship", relationship },
    } as const;
    if (relationship.kind === "object") {
      const args = lazy(() => new Map(nativeArguments(types, relationship.target())));
      yield [field, { ...shared, list: false, required: relationship.required, args }];
      continue;
    }
    const args = lazy(() => listArguments(types, relationship.target()));
    yield [field, { ...shared, list: true, required: true, args }];
    if (types.relay && isNode(relationship.target())) {
      const connection = connectionField(types, relationship.target());
      const meta = { kind: "relationship_connection", relationship } as const;
      yield [
        naming.joined(field, "connection"),
        { ...connection, description: () => "An array relationship connection", meta },
      ];
    }
    if (!relationship.aggregations) continue;
    yield [
      naming.joined(field, "aggregate"),
      {
        type: () => aggregateType(types, relationship.target()),
        list: false,
        required: true,
        description: () => "An aggregate relationship",
        args,
        meta: { kind: "relationship_aggregate", relationship },
      },
    ];
    yield* groupRelationship(types, view, field, relationship);
  }
}

/** Yields the groups of related rows, unless the table has another field of this name. */
function* groupRelationship(
  types: TypeRegistry,
  view: TableView,
  field: string,
  relationship: ArrayRelationship,
): Iterable<Named> {
  const name = view.table.source.naming.joined(field, "group");
  if (!isGroupable(relationship.target()) || hasField(view, name)) return;
  yield [
    name,
    {
      ...groupField(types, relationship.target(), groupedTypes),
      description: () => "Groups of an array relationship",
      meta: { kind: "relationship_group", relationship },
    },
  ];
}

function hasField(view: TableView, name: string): boolean {
  const { columns, relationships, remoteRelationships, computedFields } = view;
  const { naming } = view.table.source;
  return (
    columns.some(({ field }) => field === name) ||
    [relationships, remoteRelationships, computedFields].some((fields) => Object.hasOwn(fields, name)) ||
    Object.keys(relationships).some((field) =>
      ["aggregate", "connection"].some((suffix) => naming.joined(field, suffix) === name),
    )
  );
}

/** Returns the connection field of a view, without `meta` and description. */
export function connectionField(
  types: TypeRegistry,
  view: TableView,
): Pick<OutputField, "type" | "list" | "required" | "args" | "cursors"> {
  invariant(types.relay, "only the Relay schema has connections");
  const cursors = cursorTexts(types.relay, view);
  return {
    type: () => connectionType(types, view, objectType),
    list: false,
    required: true,
    args: lazy(() => connectionArguments(types, listArguments(types, view), cursors)),
    cursors,
  };
}

function* computedFields(types: TypeRegistry, view: TableView): Iterable<Named> {
  for (const [field, computed] of Object.entries(view.computedFields)) {
    if (computed.kind === "value") {
      const more = computed.type.json ? jsonPathArgument(types) : [];
      yield [field, computedValueField(types, view, field, computed, more)];
      continue;
    }
    const { call, target } = computed;
    yield [
      field,
      {
        type: () => objectType(types, target()),
        list: true,
        required: false,
        description: () => call.description,
        args: lazy(() =>
          sortedMap([...listArguments(types, target()), ...computedArguments(types, view, field, call)]),
        ),
        meta: { kind: "computed", computed },
      },
    ];
  }
}

const count = { kind: "argument", minimum: 0 } as const;

/** Returns `distinct_on`, `limit`, `offset`, `order_by`, `top_per`, `where`. */
export function listArguments(types: TypeRegistry, view: TableView): ReadonlyMap<string, InputField> {
  const { naming } = view.table.source;
  const int = () => types.scalar("Int");
  const entries: [string, InputField][] = [
    ["limit", { ...queryArgument(int, "limit the number of rows returned"), meta: count }],
    ["offset", { ...queryArgument(int, "skip the first n rows. Use only with order_by"), meta: count }],
    [
      naming.field("order_by"),
      queryArgument(() => orderingType(types, view), "sort the rows by one or more columns", { list: true }),
    ],
    [
      "where",
      {
        ...queryArgument(() => filterType(types, view), "filter the rows returned"),
        ...filterDeclarations(view.table),
      },
    ],
  ];
  if (view.columns.length > 0) {
    const columns = () => selectColumnEnum(types, view);
    entries.push([naming.field("distinct_on"), queryArgument(columns, "distinct select on columns", { list: true })]);
  }
  return sortedMap([...entries, ...topPerArgument(types, view), ...nativeArguments(types, view)]);
}

/** Returns one required argument for each column of the primary key. */
export function keyArguments(types: TypeRegistry, view: TableView): ReadonlyMap<string, InputField> {
  return sortedMap(
    view.table.primaryKey.map((column) => [
      column.field,
      {
        ...queryArgument(() => types.scalarOf(column.type), column.description, { required: true }),
        list: column.type.element !== undefined,
        meta: { kind: "column", column },
      },
    ]),
  );
}

const constantField = { list: false, required: true, args: noArguments } as const;

/** Returns the type of aggregates over rows, with the rows themselves. */
export function aggregateType(types: TypeRegistry, view: TableView): ObjectTypeDef {
  const { table } = view;
  const name = table.source.naming.type(table.type, "aggregate");
  return types.of(table.source).get<ObjectTypeDef>(name, () => ({
    kind: "object",
    name,
    description: `aggregated selection of "${table.displayName}"`,
    fields: lazy(
      () =>
        new Map<string, OutputField>([
          [
            "aggregate",
            {
              ...constantField,
              required: false,
              type: () => aggregateFields(types, view),
              meta: { kind: "aggregate" },
            },
          ],
          [
            "nodes",
            { ...constantField, list: true, type: () => objectType(types, view), meta: { kind: "nodes", view } },
          ],
        ]),
    ),
  }));
}

/** Returns the type of aggregates over rows. */
function aggregateFields(types: TypeRegistry, view: TableView): ObjectTypeDef {
  const { table } = view;
  const { naming, dialect } = table.source;
  const name = naming.type(table.type, "aggregate_fields");
  return types.of(table.source).get<ObjectTypeDef>(name, () => ({
    kind: "object",
    name,
    description: `aggregate fields of "${table.displayName}"`,
    fields: lazy(() => {
      const functions = [...dialect.aggregates].filter(
        ([, f]) => columnsOf(view, f).length > 0 || computedValuesOf(view, f).length > 0,
      );
      const count: OutputField = {
        ...constantField,
        type: () => types.scalar("Int"),
        args: lazy(() => countArguments(types, view)),
        meta: { kind: "count" },
      };
      return sortedMap<OutputField>([
        ["count", count],
        ...columnAggregateFields(types, view),
        ...functions.map(
          ([field, f]): Named => [
            naming.field(field),
            {
              ...constantField,
              required: false,
              type: () => functionFields(types, view, field, f),
              meta: { kind: "function", function: f },
            },
          ],
        ),
      ]);
    }),
  }));
}

function functionFields(types: TypeRegistry, view: TableView, field: string, f: AggregateFunction): ObjectTypeDef {
  const { table } = view;
  const name = table.source.naming.type(table.type, `${field}_fields`);
  return types.of(table.source).get<ObjectTypeDef>(name, () => ({
    kind: "object",
    name,
    description: `aggregate ${field} on columns`,
    fields: lazy(() =>
      sortedMap([
        ...columnsOf(view, f).map(
          (column): Named => [
            column.field,
            {
              type: () => (f.result === "float" ? types.scalar("Float") : types.scalarOf(column.type)),
              list: f.result === "column" && column.type.element !== undefined,
              required: false,
              description: () => column.description,
              args: noArguments,
              meta: { kind: "column", column },
            },
          ],
        ),
        ...computedValuesOf(view, f).map(([field, computed]): Named => {
          return [field, computedValueField(types, view, field, computed)];
        }),
      ]),
    ),
  }));
}

/** Returns the computed values that an aggregate function supports. */
function computedValuesOf(
  view: TableView,
  aggregate: AggregateFunction,
): readonly (readonly [string, ComputedValue])[] {
  return Object.entries(view.computedFields).flatMap(([field, computed]) =>
    computed.kind === "value" && computed.type[aggregate.on] ? [[field, computed] as const] : [],
  );
}
