/**
 * `_permitted` in the permissions that an inherited role gets from its parents. A reference leads to the permission of
 * the inherited role, so it can have faults that no parent has: two parents may refer to each other's tables.
 */
import type { PermissionKind } from "../catalog/model.ts";
import type { Analysis, AnalyzedSource } from "./analysis.ts";
import type { AnalyzedTable } from "./analyzed-table.ts";
import type { Inconsistency } from "./inconsistency.ts";
import {
  Conflict,
  readingPermissions,
  type TableConflict,
  tableConflict,
  writePermission,
} from "./inherited-permissions.ts";
import {
  type AnyPermission,
  type InheritedRoles,
  mapReferring,
  RoleReferences,
  referringTables,
  refers,
} from "./permission-references.ts";
import { Rejection } from "./rejection.ts";
import type { TableMap } from "./table-map.ts";

/** Returns true if a permission of the source uses `_permitted`. */
export const hasReferences = ({ tables }: Pick<AnalyzedSource, "tables">): boolean =>
  tables.groups.some((group) => referringTables(group).length > 0);

/** Returns informational entries for permissions that are not inherited because of their references. */
export function referenceConflicts({
  sources,
  inheritedRoles,
}: Pick<Analysis, "sources" | "inheritedRoles">): readonly Inconsistency[] {
  const referring = [...sources.values()].filter(hasReferences);
  return [...inheritedRoles.values()].flatMap((role) =>
    referring.flatMap((source) =>
      referenceFaults(source, role.role_name, inheritedRoles).map((fault) => tableConflict(role, fault)),
    ),
  );
}

/** Returns the permissions that the role does not inherit because of their references, with the reason. */
export function referenceFaults(
  { tables }: AnalyzedSource,
  role: string,
  inheritedRoles: InheritedRoles,
): readonly (TableConflict & { readonly why: string })[] {
  const references = new RoleReferences(tables, role, inheritedRoles);
  return tables.groups.flatMap(referringTables).flatMap((table) =>
    Array.from(inheritedBy(table, role, inheritedRoles)).flatMap(([kind, permission]) => {
      const found = attempt(() => references.permission(kind, table, permission));
      return found instanceof Rejection ? [{ table, kind, why: found.message }] : [];
    }),
  );
}

/**
 * Resolves the references in all permissions of an inherited role, and leaves out permissions with a fault.
 * @param tables with the inherited permissions of the role
 */
export function resolveInherited(tables: TableMap, role: string, inheritedRoles: InheritedRoles): TableMap {
  const references = new RoleReferences(tables, role, inheritedRoles);
  const changed = tables.groups.flatMap(referringTables).map((table) => ({
    ...table,
    ...mapReferring(table, (kind, owner, permission) => {
      if (owner !== role) return permission;
      const found = attempt(() => references.permission(kind, table, permission));
      return found instanceof Rejection ? undefined : found;
    }),
  }));
  return tables.with(changed);
}

/** Yields the permissions of a table that a role inherits. */
function* inheritedBy(
  table: AnalyzedTable,
  role: string,
  inheritedRoles: InheritedRoles,
): Iterable<readonly [PermissionKind, AnyPermission]> {
  const grants = { permissions: table.select, declared: table.table.select_permissions };
  if (!table.select.has(role)) {
    yield ["select", { parents: readingPermissions(grants, role, inheritedRoles) }];
  }
  for (const kind of ["insert", "update", "delete"] as const) {
    const found = table[kind].has(role) ? undefined : writePermission(table, kind, role, inheritedRoles);
    if (found !== undefined && !(found instanceof Conflict) && refers(found)) yield [kind, found];
  }
}

function attempt<T>(work: () => T): T | Rejection {
  try {
    return work();
  } catch (error) {
    if (error instanceof Rejection) return error;
    throw error;
  }
}
