/**
 * Views: tables as visible to one role. Generated modules declare views; `schema/` derives the role's GraphQL types
 * from them, and `planner/select/` the SQL.
 */

import type { Column } from "./column.ts";
import type { ComputedRows } from "./function.ts";
import { wholeSessionSlot } from "./parameters.ts";
import type {
  ArrayRelationship,
  ComputedField,
  ComputedTable,
  InsertPermission,
  ObjectRelationship,
  QueryRoot,
  Relationship,
  RemoteRelationships,
  TableView,
} from "./reachable.ts";
import type { RowFilter } from "./row-filter.ts";
import { parameter, type Sql } from "./sql.ts";
import type { Join, TableDefinition } from "./table.ts";
import type { DeletePermission, UpdatePermission } from "./write.ts";

export type {
  ArrayRelationship,
  ComputedField,
  ComputedTable,
  InsertPermission,
  NestedInsert,
  ObjectRelationship,
  QueryRoot,
  Relationship,
  TableView,
} from "./reachable.ts";

/** All session variables as a JSON object in a parameter. */
export const wholeSession: Sql = parameter(wholeSessionSlot);

export function tableView(
  table: TableDefinition,
  view: {
    readonly readable?: boolean;
    readonly columns?: readonly Column[];
    readonly relationships?: Readonly<Record<string, Relationship>>;
    readonly remoteRelationships?: RemoteRelationships;
    readonly computedFields?: Readonly<Record<string, ComputedField>>;
    readonly visible?: RowFilter;
    readonly rowLimit?: number;
    readonly aggregations?: boolean;
    readonly queryRoots?: readonly QueryRoot[];
    readonly insert?: InsertPermission;
    readonly update?: UpdatePermission;
    readonly delete?: DeletePermission;
  },
): TableView {
  return {
    table,
    readable: true,
    columns: [],
    relationships: {},
    remoteRelationships: {},
    computedFields: {},
    aggregations: false,
    ...view,
  };
}

/** Returns the columns of the primary key as visible to the role. A role may write by a key that it may not read. */
export function keyColumns({ table, columns }: TableView): readonly Column[] {
  return table.primaryKey.map((key) => columns.find(({ field }) => field === key.field) ?? key);
}

/**
 * Returns true if the role may not read all columns of the primary key in all rows. Ids and cursors must then be
 * encrypted.
 */
export function hasHiddenKey({ table, columns }: TableView): boolean {
  return table.primaryKey.some((key) => {
    const column = columns.find(({ field }) => field === key.field);
    return column === undefined || column.visible !== undefined;
  });
}

/** Returns the relationships between tables, which filters and orderings can use. */
export function tableRelationships({ table, relationships }: TableView): readonly (readonly [string, Relationship])[] {
  if (table.query) return [];
  return Object.entries(relationships).filter(([, { target }]) => target().table.query === undefined);
}

export function toOne(
  join: Join,
  target: () => TableView,
  options: { readonly required?: boolean; readonly visibleWithRow?: boolean; readonly description?: string } = {},
): ObjectRelationship {
  const { required = false, visibleWithRow = false, description = "An object relationship" } = options;
  return { kind: "object", join, target, required, visibleWithRow, description };
}

export function toMany(
  join: Join,
  target: () => TableView,
  options: { readonly aggregations?: boolean; readonly visibleWithRow?: boolean; readonly description?: string } = {},
): ArrayRelationship {
  const { aggregations = false, visibleWithRow = false, description = "An array relationship" } = options;
  return { kind: "array", join, target, aggregations, visibleWithRow, description };
}

/** Declares the rows that a function returns for a row, restricted to those that the role may read. */
export function toRows(call: ComputedRows, target: () => TableView): ComputedTable {
  return { kind: "rows", call, target };
}
