/**
 * Merged write permissions of inherited roles. A role may make each change of a row that one of the merged permissions
 * permits alone: the permission lists all columns that the statement writes, its filter admits the row before the change,
 * and its check the row after it.
 */
import type { Column } from "./column.ts";
import { anyRowOf, type RowFilter } from "./row-filter.ts";
import type { InsertPermission } from "./view.ts";
import type { DeletePermission, UpdatePermission } from "./write.ts";

/** Merges insert permissions that have the same presets. */
export function anyInsertOf(first: InsertPermission, ...others: readonly InsertPermission[]): InsertPermission {
  const { check: _, ...shared } = first;
  const parents = [first, ...others];
  return { ...shared, columns: columnsOf(parents), parents };
}

/** Merges update permissions that have the same presets. */
export function anyUpdateOf(first: UpdatePermission, ...others: readonly UpdatePermission[]): UpdatePermission {
  const { check: _, filter: __, ...shared } = first;
  const parents = [first, ...others];
  return { ...shared, columns: columnsOf(parents), hasCheck: parents.some(({ hasCheck }) => hasCheck), parents };
}

/** Merges delete permissions. */
export function anyDeleteOf(first: DeletePermission, ...others: readonly DeletePermission[]): DeletePermission {
  const { filter: _, ...shared } = first;
  const filter = anyFilterOf([first, ...others]);
  return { ...shared, ...(filter && { filter }) };
}

function columnsOf(parents: readonly { readonly columns: readonly Column[] }[]): readonly Column[] {
  return [...new Set(parents.flatMap(({ columns }) => columns))];
}

/** Returns the disjunction of the filters; `undefined` if one of them is absent, and so admits every row. */
export function anyFilterOf(permissions: readonly { readonly filter?: RowFilter }[]): RowFilter | undefined {
  const filters = new Set(permissions.map(({ filter }) => filter));
  const [only] = filters;
  if (filters.size === 1) return only;
  const present = [...filters].filter((filter) => filter !== undefined);
  return present.length < filters.size ? undefined : anyRowOf(...present);
}

/**
 * Returns the permissions that permit a statement to write the columns: the permission itself, or of a merged one those
 * that list all of them.
 */
export function permissionsFor<T extends { readonly columns: readonly Column[]; readonly parents?: readonly T[] }>(
  permission: T,
  written: readonly { readonly sql: string }[],
): readonly T[] {
  if (permission.parents === undefined) return [permission];
  return permission.parents.filter(({ columns }) => {
    const listed = new Set(columns.map(({ sql }) => sql));
    return written.every(({ sql }) => listed.has(sql));
  });
}
