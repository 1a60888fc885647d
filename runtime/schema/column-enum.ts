/** `T_select_column` and `order_by`: the enums that arguments of lists use. */
import type { SourceDefinition } from "../definitions/table.ts";
import type { TableView } from "../definitions/view.ts";
import type { TypeRegistry } from "./registry.ts";
import type { EnumTypeDef } from "./types.ts";

/** The columns a role may read, as an enum; in the order of the table. */
export function selectColumnEnum(types: TypeRegistry, view: TableView): EnumTypeDef {
  const { table } = view;
  const name = table.source.naming.type(table.type, table.query ? "enum_name" : "select_column");
  return types.of(table.source).get<EnumTypeDef>(name, () => ({
    kind: "enum",
    name,
    description: `select columns of table "${table.displayName}"`,
    values: new Map(
      view.columns.map((column) => [
        column.field,
        { description: "column name", meta: { kind: "column", column } as const },
      ]),
    ),
  }));
}

/** Directions of an ordering, as the dialect has them. */
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
