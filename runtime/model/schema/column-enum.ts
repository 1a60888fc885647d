/** Enums in arguments of lists: `T_select_column` and `order_by`. */
import type { Column } from "../definitions/column.ts";
import { isEnumValueName } from "../definitions/naming.ts";
import type { SourceDefinition } from "../definitions/table.ts";
import type { TableView } from "../definitions/view.ts";
import type { TypeRegistry } from "./registry.ts";
import type { EnumTypeDef } from "./types.ts";

/** Returns the enum of the columns that a role may read, in table order. */
export function selectColumnEnum(types: TypeRegistry, view: TableView): EnumTypeDef {
  const { table } = view;
  const name = table.source.naming.type(table.type, table.query ? "enum_name" : "select_column");
  return types.of(table.source).get<EnumTypeDef>(name, () => ({
    kind: "enum",
    name,
    description: `select columns of table "${table.displayName}"`,
    values: columnValues(view.columns),
  }));
}

const placeholder = "_PLACEHOLDER";

/**
 * Returns enum values for columns, without columns whose names are not valid enum values. An empty enum gets a
 * placeholder, which requests cannot use.
 */
export function columnValues(columns: readonly Column[]): EnumTypeDef["values"] {
  const named = columns.filter(({ field }) => isEnumValueName(field));
  if (named.length === 0) {
    return new Map([[placeholder, { description: "placeholder (do not use)", meta: { kind: "placeholder" } }]]);
  }
  return new Map(
    named.map((column) => [column.field, { description: "column name", meta: { kind: "column", column } as const }]),
  );
}

/** Returns the enum of orderings that the dialect supports. */
export function orderByEnum(types: TypeRegistry, { naming, dialect }: SourceDefinition): EnumTypeDef {
  const name = naming.commonType("order_by");
  return types.get<EnumTypeDef>(name, () => ({
    kind: "enum",
    name,
    description: "column ordering options",
    values: new Map(
      [...dialect.orderings].map(([name, { description, ...direction }]) => [
        naming.enumValue(name),
        { description, meta: { kind: "ordering", direction } as const },
      ]),
    ),
  }));
}
