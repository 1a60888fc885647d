/** Operations that change the permissions of many cells of the matrix at once. */

import type { Json, JsonObject, Permission, Source, Table } from "../../http/metadata-types.ts";
import type { Operation } from "../../http/operation.ts";
import { isObject } from "./conditions.ts";
import { type Action, type Cell, operationsFor, permissionOf } from "./draft.ts";

export interface CellChange {
  readonly operations: readonly Operation[];
  /** Roles whose permissions change. */
  readonly roles: readonly string[];
  /** Number of permissions that change. */
  readonly count: number;
}

interface Replacement {
  readonly table: Table;
  readonly role: string;
  readonly action: Action;
  /** `null` to delete the permission. */
  readonly after: JsonObject | null;
  readonly comment?: string | undefined;
}

/** Later replacements of the same permission are ignored. */
function changeOf(source: Source, replacements: readonly Replacement[]): CellChange {
  const found = new Map<string, Replacement>();
  for (const each of replacements) {
    const { schema, name } = each.table.table;
    const key = JSON.stringify([schema, name, each.role, each.action]);
    if (!found.has(key)) found.set(key, each);
  }
  const changes = [...found.values()].filter(
    ({ table, role, action, after }) =>
      JSON.stringify(permissionOf(table, action, role)?.permission ?? null) !== JSON.stringify(after),
  );
  return {
    operations: changes.flatMap(({ table, role, action, after, comment }) =>
      operationsFor(
        { source, table: table.table, action, role },
        { before: permissionOf(table, action, role), after, ...(comment !== undefined && { comment }) },
      ),
    ),
    roles: [...new Set(changes.map(({ role }) => role))],
    count: changes.length,
  };
}

/** Returns the permissions of cells with their place. */
function permissionsIn(cells: readonly Cell[], actions: readonly Action[]) {
  return cells.flatMap(({ table, role }) =>
    actions.flatMap((action) => {
      const permission = permissionOf(table, action, role);
      return permission ? [{ table, role, action, permission }] : [];
    }),
  );
}

/** Returns how many permissions of each kind cells have. */
export function countPermissions(cells: readonly Cell[]): Readonly<Record<Action, number>> {
  const count = (action: Action): number => permissionsIn(cells, [action]).length;
  return { select: count("select"), insert: count("insert"), update: count("update"), delete: count("delete") };
}

export const deletion = (source: Source, cells: readonly Cell[], actions: readonly Action[]): CellChange =>
  changeOf(
    source,
    permissionsIn(cells, actions).map(({ table, role, action }) => ({ table, role, action, after: null })),
  );

/** Replaces the row filters of existing permissions; of insert permissions, the check. */
export const filterChange = (
  source: Source,
  cells: readonly Cell[],
  actions: readonly Action[],
  filter: Json,
): CellChange =>
  changeOf(
    source,
    permissionsIn(cells, actions).map(({ table, role, action, permission: { permission } }) => ({
      table,
      role,
      action,
      after: { ...permission, [action === "insert" ? "check" : "filter"]: filter },
    })),
  );

export interface CopyTarget {
  /** `null` for the role of each copied permission. */
  readonly role: string | null;
  /** `null` for the table of each copied permission. */
  readonly table: Table | null;
  /** Columns of `table`; `null` to keep the columns of the copied permission. */
  readonly columns: ReadonlySet<string> | null;
  /** True to replace existing permissions, false to keep them. */
  readonly isReplacing: boolean;
}

export interface Copied extends CellChange {
  /** Number of permissions of the target that are kept instead of being replaced. */
  readonly kept: number;
  /** Columns and computed fields that the target table lacks. */
  readonly missing: readonly string[];
}

export function copy(source: Source, cells: readonly Cell[], actions: readonly Action[], target: CopyTarget): Copied {
  const missing = new Set<string>();
  const given = permissionsIn(cells, actions);
  const replacements = given.map(({ table, role, action, permission }) => ({
    table: target.table ?? table,
    role: target.role ?? role,
    action,
    after: target.table ? fitted(permission, target.table, target.columns, missing) : permission.permission,
    comment: permission.comment,
  }));
  const isFree = ({ table, role, action }: Replacement): boolean =>
    target.isReplacing || permissionOf(table, action, role) === null;
  const free = replacements.filter(isFree);
  return { ...changeOf(source, free), kept: replacements.length - free.length, missing: [...missing].sort() };
}

/** Returns the permission without the columns and computed fields that a table lacks, and adds them to `missing`. */
function fitted(
  { permission }: Permission,
  table: Table,
  columns: ReadonlySet<string> | null,
  missing: Set<string>,
): JsonObject {
  const computed = new Set((table.computed_fields ?? []).map(({ name }) => name));
  const isIn = (names: ReadonlySet<string>, name: string): boolean => {
    if (!names.has(name)) missing.add(name);
    return names.has(name);
  };
  const listIn = (value: Json, names: ReadonlySet<string>): Json =>
    Array.isArray(value) ? value.filter((name) => typeof name === "string" && isIn(names, name)) : value;
  const result: Record<string, Json> = { ...permission };
  if (columns && permission.columns !== undefined) result.columns = listIn(permission.columns, columns);
  if (columns && isObject(permission.set)) {
    result.set = Object.fromEntries(Object.entries(permission.set).filter(([name]) => isIn(columns, name)));
  }
  if (permission.computed_fields !== undefined) result.computed_fields = listIn(permission.computed_fields, computed);
  return result;
}
