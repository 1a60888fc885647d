/** Filters: `T_bool_exp`. */

import { lazy, sortedMap } from "../../values/lazy.ts";
import type { Column } from "../definitions/column.ts";
import type { TableDefinition } from "../definitions/table.ts";
import { type TableView, tableRelationships } from "../definitions/view.ts";
import { aggregateFilters } from "./aggregate-predicate-types.ts";
import { comparisonType } from "./comparison-types.ts";
import { isPlain } from "./function-types.ts";
import type { TypeRegistry } from "./registry.ts";
import type { InputField, InputObjectTypeDef } from "./types.ts";

/** Returns the filter of a table, with the columns and relationships of a role. */
export function filterType(types: TypeRegistry, view: TableView): InputObjectTypeDef {
  const { table } = view;
  const name = filterName(table);
  const rows = table.query ? "logical model for" : "table";
  return types.of(table.source).get<InputObjectTypeDef>(name, () => ({
    kind: "input",
    name,
    description: `Boolean expression to filter rows from the ${rows} "${table.displayName}". All fields are combined with a logical 'AND'.`,
    fields: lazy(() =>
      sortedMap([
        ["_and", combination(types, view, "and", true)],
        ["_not", combination(types, view, "not", false)],
        ["_or", combination(types, view, "or", true)],
        ...view.columns.map((column) => [column.field, columnFilter(types, view, column)] as const),
        ...tableRelationships(view).map(
          ([field, relationship]) =>
            [
              field,
              {
                type: lazy(() => filterType(types, relationship.target())),
                list: false,
                required: false,
                nullIsAbsent: false,
                meta: { kind: "relationship", relationship },
              } satisfies InputField,
            ] as const,
        ),
        ...aggregateFilters(types, view, (target) => filterType(types, target)),
        ...computedFilters(types, view),
      ]),
    ),
  }));
}

/** Returns the type name. For logical models it has the suffix twice, because existing clients expect it. */
const filterName = ({ source, type, query }: TableDefinition): string =>
  source.naming.type(type, query ? "bool_exp_bool_exp" : "bool_exp");

/**
 * Returns the name of a logical model's filter with the suffix once, as another type with which variables may be
 * declared.
 */
export function filterDeclarations({ source, type, query }: TableDefinition): Pick<InputField, "alsoDeclared"> {
  return query ? { alsoDeclared: source.naming.type(type, "bool_exp") } : {};
}

/** Yields filters of computed fields without arguments: a comparison of the value, or a filter of the rows. */
function* computedFilters(types: TypeRegistry, view: TableView): Iterable<readonly [string, InputField]> {
  for (const [field, computed] of Object.entries(view.computedFields)) {
    if (!isPlain(computed.kind === "value" ? computed : computed.call)) continue;
    const type = (): InputObjectTypeDef =>
      computed.kind === "value"
        ? comparisonType(types, view.table.source, computed.type)
        : filterType(types, computed.target());
    yield [field, { type, list: false, required: false, nullIsAbsent: false, meta: { kind: "computed", computed } }];
  }
}

function combination(types: TypeRegistry, view: TableView, kind: "and" | "or" | "not", list: boolean): InputField {
  return { type: lazy(() => filterType(types, view)), list, required: false, nullIsAbsent: false, meta: { kind } };
}

function columnFilter(types: TypeRegistry, view: TableView, column: Column): InputField {
  return {
    // Cached, because every request with a variable as filter reads it.
    type: lazy(() => comparisonType(types, view.table.source, column.type)),
    list: false,
    required: false,
    nullIsAbsent: false,
    meta: { kind: "column", column },
  };
}
