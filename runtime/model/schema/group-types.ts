/** Groups of rows by keys, with aggregates over each group and its rows. */
import { lazy, sortedMap } from "../../values/lazy.ts";
import type { TableView } from "../definitions/view.ts";
import { argument } from "./argument.ts";
import { selectColumnEnum } from "./column-enum.ts";
import { filterDeclarations, filterType } from "./filter-types.ts";
import { groupHavingType } from "./group-having-types.ts";
import {
  type DerivedKey,
  derivedColumns,
  groupByType,
  groupPartEnum,
  keyRelationships,
  pathArgument,
} from "./group-input-types.ts";
import { groupOrderType } from "./group-order-types.ts";
import type { TypeRegistry } from "./registry.ts";
import { queryArgument } from "./relay-types.ts";
import { type InputField, noArguments, type ObjectTypeDef, type OutputField, type OutputTypeDef } from "./types.ts";

/** Types of rows and their aggregates, which refer to groups in turn. */
export interface GroupedTypes {
  readonly objectType: (types: TypeRegistry, view: TableView) => ObjectTypeDef;
  readonly aggregateFields: (types: TypeRegistry, view: TableView) => ObjectTypeDef;
  readonly listArguments: (types: TypeRegistry, view: TableView) => ReadonlyMap<string, InputField>;
}

type GroupField = Pick<OutputField, "type" | "list" | "required" | "args">;

/** Returns the field with the groups of a view's rows, without `meta` and description. */
export function groupField(types: TypeRegistry, view: TableView, of: GroupedTypes): GroupField {
  return {
    type: () => groupType(types, view, of),
    list: true,
    required: true,
    args: lazy(() => groupArguments(types, view, of)),
  };
}

/** Returns `by`, `having`, `limit`, `offset`, `order_by`, `where`. */
function groupArguments(types: TypeRegistry, view: TableView, of: GroupedTypes): ReadonlyMap<string, InputField> {
  const { naming } = view.table.source;
  return sortedMap<InputField>([
    ["by", argument(() => groupByType(types, view), "keys of the groups", { list: true, required: true })],
    ["having", queryArgument(() => groupHavingType(types, view), "filter the groups by their aggregates")],
    ...some(of.listArguments(types, view), ["limit", "offset"]),
    [
      naming.field("order_by"),
      queryArgument(() => groupOrderType(types, view), "sort the groups; default: by their keys", { list: true }),
    ],
    ["where", filterArgument(types, view, "filter the rows before they are grouped")],
  ]);
}

function filterArgument(types: TypeRegistry, view: TableView, description?: string): InputField {
  return { ...queryArgument(() => filterType(types, view), description), ...filterDeclarations(view.table) };
}

const some = (args: ReadonlyMap<string, InputField>, names: readonly string[]): [string, InputField][] =>
  [...args].filter(([name]) => names.includes(name));

const required = { list: false, required: true, args: noArguments } as const;

function groupType(types: TypeRegistry, view: TableView, of: GroupedTypes): ObjectTypeDef {
  const { source, type, displayName } = view.table;
  const name = source.naming.type(type, "aggregate_group");
  const ofNodes = ["limit", "offset", source.naming.field("order_by")];
  return types.of(source).get<ObjectTypeDef>(name, () => ({
    kind: "object",
    name,
    description: `rows of "${displayName}" with equal keys`,
    fields: lazy(
      () =>
        new Map<string, OutputField>([
          [
            "aggregate",
            {
              ...required,
              type: () => of.aggregateFields(types, view),
              args: lazy(() => new Map([["filter", filterArgument(types, view)]])),
              meta: { kind: "aggregate" },
            },
          ],
          ["key", { ...required, type: () => keyType(types, view), meta: { kind: "group_key" } }],
          [
            "nodes",
            {
              ...required,
              list: true,
              type: () => of.objectType(types, view),
              args: lazy(() => new Map(some(of.listArguments(types, view), ofNodes))),
              meta: { kind: "nodes", view },
            },
          ],
        ]),
    ),
  }));
}

/** Returns the type of the keys of a group. Only keys that `by` lists can be selected. */
function keyType(types: TypeRegistry, view: TableView): ObjectTypeDef {
  const { source, type, displayName } = view.table;
  const name = source.naming.type(type, "aggregate_group_key");
  return types.of(source).get<ObjectTypeDef>(name, () => ({
    kind: "object",
    name,
    description: `keys of groups of "${displayName}": only those that 'by' lists can be selected`,
    fields: lazy(() =>
      sortedMap<OutputField>([
        ...derivedFields(types, view),
        ...view.columns.map((column): [string, OutputField] => [
          column.field,
          {
            type: () => types.scalarOf(column.type),
            list: column.type.element !== undefined,
            required: false,
            description: () => column.description,
            args: noArguments,
            meta: { kind: "column", column },
          },
        ]),
        ...keyRelationships(view).map(([field, relationship]): [string, OutputField] => [
          field,
          {
            ...required,
            type: () => keyType(types, relationship.target()),
            meta: { kind: "group_related", name: field },
          },
        ]),
      ]),
    ),
  }));
}

/** Yields the fields of keys that are derived from a column. A column of the same name takes precedence. */
function* derivedFields(types: TypeRegistry, view: TableView): Iterable<[string, OutputField]> {
  const { _part, _bucket, _at } = derivedColumns(view);
  const { atPath } = view.table.source.dialect.groups;
  const column = argument(() => selectColumnEnum(types, view), undefined, { required: true });
  const derived = (
    kind: DerivedKey,
    type: () => OutputTypeDef,
    text: string,
    more: readonly (readonly [string, InputField])[] = [],
  ): [string, OutputField] => [
    kind,
    {
      type,
      list: false,
      required: false,
      description: () => text,
      args: lazy(() => new Map([["column", column], ...more])),
      meta: { kind: "group_derived", derived: kind },
    },
  ];
  if (_part.length > 0) {
    const part = argument(() => groupPartEnum(types, view), undefined, { required: true });
    yield derived("_part", () => types.scalar("Int"), "part of a date or time", [["part", part]]);
  }
  if (_bucket.length > 0) {
    yield derived("_bucket", () => types.scalar("Float"), "lower bound of the bucket of a number");
  }
  if (atPath && _at.length > 0) {
    yield derived("_at", () => types.scalarOf(atPath.type), "value at a path of a JSON column", [
      ["path", pathArgument(true)],
    ]);
  }
}
