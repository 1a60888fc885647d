/**
 * Resolves `_permitted` in the permissions of all sources, and leaves out permissions whose references cannot be resolved.
 * Sources without references are returned unchanged.
 */
import type { PermissionKind } from "../catalog/model.ts";
import type { AnalyzedSource } from "./analysis.ts";
import type { AnalyzedTable } from "./analyzed-table.ts";
import { permissionObject } from "./metadata-objects.ts";
import { type Dependency, type ObjectId, objectKey } from "./object-id.ts";
import {
  type AnalyzedPermission,
  type InheritedRoles,
  mapReferring,
  RoleReferences,
  referringTables,
} from "./permission-references.ts";
import type { Findings } from "./rejection.ts";
import { share, shareMap, shareShallow } from "./share.ts";

type Sources = ReadonlyMap<string, AnalyzedSource>;

/**
 * @param previous the resolved sources of the previous analysis, whose equal parts are reused
 * @param findings receives the permissions that are left out
 */
export function resolveReferences(
  sources: Sources,
  inheritedRoles: InheritedRoles,
  previous: Sources | undefined,
  findings: Findings,
): Sources {
  let resolved: Map<string, AnalyzedSource> | undefined;
  for (const [name, source] of sources) {
    const tables = source.tables.groups.flatMap(referringTables);
    if (tables.length === 0) continue;
    const before = previous?.get(name);
    const resolver = new SourceResolver(source, inheritedRoles, findings);
    const changed = tables.map((table) => resolver.table(table, before?.tables.get(table.key)));
    resolved ??= new Map(sources);
    resolved.set(name, shareShallow(before, { ...source, tables: source.tables.with(changed) }));
  }
  return resolved ?? sources;
}

interface Place {
  readonly table: AnalyzedTable;
  readonly kind: PermissionKind;
  readonly role: string;
}

class SourceResolver {
  readonly #source: AnalyzedSource;
  readonly #inheritedRoles: InheritedRoles;
  readonly #findings: Findings;
  readonly #references = new Map<string, RoleReferences>();

  constructor(source: AnalyzedSource, inheritedRoles: InheritedRoles, findings: Findings) {
    this.#source = source;
    this.#inheritedRoles = inheritedRoles;
    this.#findings = findings;
  }

  table(table: AnalyzedTable, previous: AnalyzedTable | undefined): AnalyzedTable {
    const dependencies = new Map(table.dependencies);
    const {
      select,
      insert,
      update,
      delete: remove,
    } = mapReferring(table, (kind, role, permission) =>
      this.#permission({ table, kind, role }, permission, dependencies),
    );
    return shareShallow(previous, {
      ...table,
      select: shareMap(previous?.select, select),
      insert: shareMap(previous?.insert, insert),
      update: shareMap(previous?.update, update),
      delete: shareMap(previous?.delete, remove),
      dependencies: share(previous?.dependencies, dependencies),
    });
  }

  /** @param dependencies dependencies of the table's objects, which are updated */
  #permission<T extends AnalyzedPermission>(
    { table, kind, role }: Place,
    permission: T,
    dependencies: Map<string, readonly Dependency[]>,
  ): T | undefined {
    const { source, displayName } = table;
    const name = table.table.table;
    const id: ObjectId = { kind: "permission", source, table: name, permission: kind, role };
    const references = this.#of(role);
    const resolved = this.#findings.attempt(
      () => permissionObject({ source, table: name, displayName }, kind, permission.permission),
      `in table "${displayName}": in permission for role "${role}": `,
      () => references.permission(kind, table, permission),
    );
    const key = objectKey(id);
    if (resolved === undefined) dependencies.delete(key);
    else dependencies.set(key, [...(dependencies.get(key) ?? []), ...references.dependencies(id, permission)]);
    return resolved;
  }

  #of(role: string): RoleReferences {
    let references = this.#references.get(role);
    if (references === undefined) {
      references = new RoleReferences(this.#source.tables, role, this.#inheritedRoles);
      this.#references.set(role, references);
    }
    return references;
  }
}
