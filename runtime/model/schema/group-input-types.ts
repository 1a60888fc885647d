/**
 * The argument `by` of groups. Names of types begin with `T_aggregate_group`, because a table may well have the name
 * `T_group`.
 */
import { lazy, sortedMap } from "../../values/lazy.ts";
import type { Column } from "../definitions/column.ts";
import { dateParts, dateUnits } from "../definitions/group-dialect.ts";
import { isEnumValueName } from "../definitions/naming.ts";
import type { SourceDefinition } from "../definitions/table.ts";
import { type ObjectRelationship, type TableView, tableRelationships } from "../definitions/view.ts";
import { argument } from "./argument.ts";
import { selectColumnEnum } from "./column-enum.ts";
import type { TypeRegistry } from "./registry.ts";
import type { EnumTypeDef, EnumValue, InputField, InputObjectTypeDef, ScalarTypeDef } from "./types.ts";

export type Named = readonly [string, InputField];

/** Returns true if the rows of a view can be grouped: `by` has at least one column. */
export const isGroupable = ({ columns }: TableView): boolean => columns.some(({ field }) => isEnumValueName(field));

/**
 * Returns the object relationships whose columns can be keys: at most one row matches, and the role may group rows by
 * its columns.
 */
export function keyRelationships(view: TableView): readonly (readonly [string, ObjectRelationship])[] {
  return tableRelationships(view).flatMap(([field, relationship]) => {
    if (relationship.kind !== "object" || !relationship.join.unique) return [];
    const target = relationship.target();
    return target.table.primaryKey.length > 0 && isGroupable(target) ? [[field, relationship] as const] : [];
  });
}

/** Kinds of keys that are derived from a column, with the columns that support them. */
export function derivedColumns({ columns, table }: TableView): Readonly<Record<DerivedKey, readonly Column[]>> {
  const { groups } = table.source.dialect;
  const named = columns.filter(({ field }) => isEnumValueName(field));
  return {
    _part: named.filter(({ type }) => groups.timeKind(type) !== undefined),
    _bucket: named.filter(({ type }) => type.numeric && type.element === undefined),
    _at: groups.atPath ? named.filter(({ type }) => type.json) : [],
  };
}

export type DerivedKey = "_part" | "_bucket" | "_at";

export const optional = (field: InputField): InputField => ({ ...field, nullIsAbsent: true });

/** A path determines the statement, because selected keys refer to it. */
const pathType: ScalarTypeDef = { kind: "scalar", name: "String", structure: (value) => JSON.stringify(value) ?? "" };

export const pathArgument = (required: boolean): InputField =>
  argument(() => pathType, "path in a JSON column, such as $.a.b", { required });

export function groupPartEnum(types: TypeRegistry, view: TableView): EnumTypeDef {
  const description = "part of a date or time by which rows are grouped";
  const parts = Object.keys(dateParts) as (keyof typeof dateParts)[];
  return commonEnum(types, view, "aggregate_group_part", description, (naming) =>
    parts.map((part) => [
      naming.enumValue(part),
      { description: dateParts[part], meta: { kind: "date_part", part } as const },
    ]),
  );
}

function groupUnitEnum(types: TypeRegistry, view: TableView): EnumTypeDef {
  const description = "unit to whose start dates and times are truncated; weeks begin on Monday";
  return commonEnum(types, view, "aggregate_group_unit", description, (naming) =>
    dateUnits.map((unit) => [naming.enumValue(unit), { meta: { kind: "date_unit", unit } as const }]),
  );
}

/** Returns an enum that all tables of a source share. */
function commonEnum(
  types: TypeRegistry,
  { table: { source } }: TableView,
  common: string,
  description: string,
  values: (naming: SourceDefinition["naming"]) => Iterable<readonly [string, EnumValue]>,
): EnumTypeDef {
  const { naming } = source;
  const name = naming.type(naming.commonType(common));
  return types
    .of(source)
    .get<EnumTypeDef>(name, () => ({ kind: "enum", name, description, values: new Map(values(naming)) }));
}

/** Returns an input type of a table. */
export function input(
  types: TypeRegistry,
  { table: { source, type } }: Pick<TableView, "table">,
  suffix: string,
  description: string | undefined,
  fields: (naming: SourceDefinition["naming"]) => Iterable<Named>,
): InputObjectTypeDef {
  const name = source.naming.type(type, suffix);
  return types.of(source).get<InputObjectTypeDef>(name, () => ({
    kind: "input",
    name,
    ...(description === undefined ? {} : { description }),
    fields: lazy(() => sortedMap(fields(source.naming))),
  }));
}

/** Returns the type of one key of `by`: a column, or `related` with a key of a related row. */
export function groupByType(types: TypeRegistry, view: TableView): InputObjectTypeDef {
  const { table } = view;
  const description = `A key by which rows of "${table.displayName}" are grouped: exactly one of 'column' and 'related'.`;
  return input(types, view, "aggregate_group_by", description, function* (naming) {
    const { _part, _bucket, _at } = derivedColumns(view);
    const columns = () => selectColumnEnum(types, view);
    yield ["column", optional(argument(columns, "a column"))];
    if (_part.length > 0) {
      const zone = "time zone of the part or unit, for columns with a time zone; default: UTC";
      const start = "a unit: the key is the start of the column's date or time in it";
      yield ["part", optional(argument(() => groupPartEnum(types, view), "a part of the column's date or time"))];
      yield ["truncate", optional(argument(() => groupUnitEnum(types, view), start))];
      yield [naming.field("time_zone"), optional(argument(() => types.scalar("String"), zone))];
    }
    if (_bucket.length > 0) {
      yield ["width", optional(argument(() => types.scalar("Float"), "width of the buckets of the column's numbers"))];
    }
    if (_at.length > 0) yield ["path", optional(pathArgument(false))];
    if (keyRelationships(view).length === 0) return;
    yield ["related", optional(argument(() => relatedType(types, view), "a key of a related row: exactly one"))];
  });
}

function relatedType(types: TypeRegistry, view: TableView): InputObjectTypeDef {
  return input(types, view, "aggregate_group_related", undefined, () =>
    keyRelationships(view).map(([field, relationship]): Named => {
      const by = optional(argument(() => groupByType(types, relationship.target()), undefined));
      return [field, { ...by, meta: { kind: "relationship", relationship } }];
    }),
  );
}
