/**
 * Access of roles to tables, computed once per group of tables (`table-map.ts`): a change of one table recomputes only
 * its group, however many tables there are.
 */
import type { AnalyzedSource } from "../2-analyze/analysis.ts";
import type { AnalyzedTable } from "../2-analyze/analyzed-table.ts";
import { ofGroup, rolesOfGroup, type TableGroup } from "../2-analyze/table-map.ts";
import { adminRole } from "./admin-role.ts";
import { hasBackendOnly, isWritableBy } from "./write-inputs.ts";

/**
 * Memoizes a function of a group and a role for the lifetime of the group.
 * @param work must depend on nothing but its arguments
 * @param none the result for roles without a permission on any table of the group, for which nothing is cached
 */
export function ofGroupAndRole<T>(
  work: (group: TableGroup, role: string) => T,
  none: T,
): (group: TableGroup, role: string) => T {
  const byRole = ofGroup(() => new Map<string, { readonly value: T }>());
  return (group, role) => {
    if (role !== adminRole && !rolesOfGroup(group).has(role)) return none;
    const known = byRole(group);
    const made = known.get(role) ?? { value: work(group, role) };
    known.set(role, made);
    return made.value;
  };
}

/** Returns true if a role may select from a table that is in the schema. */
export function isVisible(table: AnalyzedTable, role: string): boolean {
  return table.graphqlName !== null && (role === adminRole || table.select.has(role));
}

/** Returns true if a role has any permission on a table that is in the schema. */
export function isUsable(table: AnalyzedTable, role: string): boolean {
  return isVisible(table, role) || (table.graphqlName !== null && isWritableBy(table, role));
}

/** Returns the tables of a group on which a role has a permission. */
export const usableInGroup = ofGroupAndRole<TableGroup>(
  (group, role) => group.filter((table) => isUsable(table, role)),
  [],
);

const hasBackendOnlyInGroup = ofGroupAndRole<boolean>(
  (group, role) => usableInGroup(group, role).some((table) => hasBackendOnly(table, role)),
  false,
);

/** Returns true if a permission of a role is for backends only, so that its schema has two variants. */
export function needsBackendSchema(
  { sources }: { readonly sources: ReadonlyMap<string, AnalyzedSource> },
  role: string,
): boolean {
  for (const { tables } of sources.values()) {
    for (const group of tables.groups) if (hasBackendOnlyInGroup(group, role)) return true;
  }
  return false;
}

/** Yields the tables on which a role has a permission, in the order of their sources. */
export function* usableTables(
  { sources }: { readonly sources: ReadonlyMap<string, AnalyzedSource> },
  role: string | null,
): Iterable<readonly [AnalyzedSource, AnalyzedTable]> {
  if (role === null) return;
  for (const source of sources.values()) {
    for (const group of source.tables.groups) for (const table of usableInGroup(group, role)) yield [source, table];
  }
}
