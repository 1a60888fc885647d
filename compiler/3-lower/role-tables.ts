/**
 * What a role may do with tables, worked out once for each group of them (`table-map.ts`): a change of one table asks
 * for those that share its group, however many tables there are.
 */
import type { AnalyzedSource } from "../2-analyze/analysis.ts";
import type { AnalyzedTable } from "../2-analyze/analyzed-table.ts";
import { ofGroup, rolesOfGroup, type TableGroup } from "../2-analyze/table-map.ts";
import { adminRole } from "./admin-role.ts";
import { hasBackendOnly, isWritableBy } from "./write-inputs.ts";

/**
 * What `work` makes of a group for a role, kept as long as the group. It may look at nothing else.
 * @param none for roles that have no permission on any table of the group, of which nothing is kept
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

/** Whether a role may read a table: it has a select permission and a name in the schema. */
export function isVisible(table: AnalyzedTable, role: string): boolean {
  return table.graphqlName !== null && (role === adminRole || table.select.has(role));
}

/** Whether a role may do anything with a table that has a name in the schema. */
export function isUsable(table: AnalyzedTable, role: string): boolean {
  return isVisible(table, role) || (table.graphqlName !== null && isWritableBy(table, role));
}

/** The tables of a group that a role may do something with. */
export const usableInGroup = ofGroupAndRole<TableGroup>(
  (group, role) => group.filter((table) => isUsable(table, role)),
  [],
);

/** Whether some permissions of a role on tables of a group are for backends only. */
const hasBackendOnlyInGroup = ofGroupAndRole<boolean>(
  (group, role) => usableInGroup(group, role).some((table) => hasBackendOnly(table, role)),
  false,
);

/** Whether some of a role's permissions are for backends only, so that its schema has two variants. */
export function needsBackendSchema(
  { sources }: { readonly sources: ReadonlyMap<string, AnalyzedSource> },
  role: string,
): boolean {
  for (const { tables } of sources.values()) {
    for (const group of tables.groups) if (hasBackendOnlyInGroup(group, role)) return true;
  }
  return false;
}

/** The tables that a role may do something with, in the order of their sources. */
export function* usableTables(
  { sources }: { readonly sources: ReadonlyMap<string, AnalyzedSource> },
  role: string | null,
): Iterable<readonly [AnalyzedSource, AnalyzedTable]> {
  if (role === null) return;
  for (const source of sources.values()) {
    for (const group of source.tables.groups) for (const table of usableInGroup(group, role)) yield [source, table];
  }
}
