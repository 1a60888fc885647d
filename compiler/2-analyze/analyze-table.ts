/**
 * Analyses the objects that a table owns besides its fields: permissions and event triggers. Results of the previous
 * analysis are reused for identical declarations whose dependencies did not change.
 */
import type { EventTrigger, Permission, PermissionKind } from "../catalog/model.ts";
import { qualifiedKey } from "./analysis.ts";
import type { AnalyzedEventTrigger, AnalyzedTable } from "./analyzed-table.ts";
import type { MetadataObject } from "./inconsistency.ts";
import { eventTriggerObject, permissionObject, type TableAddress } from "./metadata-objects.ts";
import { type Dependency, type ObjectId, objectKey } from "./object-id.ts";
import { bindDelete, bindInsert, bindSelect, bindUpdate, type PermissionScope } from "./permissions.ts";
import { type OtherSources, type PredicateScope, Uses } from "./predicate-scope.ts";
import { Findings } from "./rejection.ts";
import { bindEventTrigger } from "./rules/event-triggers.ts";
import { share, shareList, shareMap, shareShallow } from "./share.ts";
import type { SourceContext } from "./source-context.ts";
import type { TableFields, TablesByKey } from "./table-fields.ts";

/** The tables of a source, with the keys of the tables that changed since the previous analysis. */
export interface TablesScope {
  readonly context: SourceContext;
  readonly tables: TablesByKey;
  readonly changed: ReadonlySet<string>;
  readonly others: OtherSources;
  /** The previous analysis of the source depended on other sources. */
  readonly dependsOnOtherSources: boolean;
}

export function analyzeTable(
  scope: TablesScope,
  fields: TableFields,
  previous: AnalyzedTable | undefined,
): AnalyzedTable {
  const { base, relationships, computedFields, remoteRelationships } = fields;
  const dangling = shareList(previous?.dangling, [...fields.dangling]);
  if (previous !== undefined && ownsTheSame(scope, fields, previous)) {
    return shareShallow(previous, { ...previous, ...base, dangling });
  }
  const findings = new Findings();
  const owner = new OwnedObjects(scope, fields, previous, findings);
  const { table } = base;
  const parts = {
    relationships,
    computedFields,
    remoteRelationships,
    eventTriggers: owner.eventTriggers(),
    select: owner.permissions("select", table.select_permissions, previous?.select, bindSelect),
    insert: owner.permissions("insert", table.insert_permissions, previous?.insert, bindInsert),
    update: owner.permissions("update", table.update_permissions, previous?.update, bindUpdate),
    delete: owner.permissions("delete", table.delete_permissions, previous?.delete, bindDelete),
  };
  // Dependencies may differ although no part changed: the foreign key of a relationship may have been renamed.
  const dependencies = share(previous?.dependencies, owner.dependencies());
  const inconsistencies = shareList(previous?.inconsistencies, findings.entries);
  return shareShallow(previous, { ...base, ...parts, dangling, dependencies, inconsistencies });
}

/** Returns true if all owned objects were consistent before and none of their dependencies changed. */
function ownsTheSame(scope: TablesScope, { base }: TableFields, previous: AnalyzedTable): boolean {
  const { table, select, insert, update, delete: remove, eventTriggers, dependencies } = previous;
  return (
    base.table === table &&
    previous.inconsistencies.length === 0 &&
    !scope.changed.has(base.key) &&
    select.size === table.select_permissions.length &&
    insert.size === table.insert_permissions.length &&
    update.size === table.update_permissions.length &&
    remove.size === table.delete_permissions.length &&
    eventTriggers.size === table.event_triggers.length &&
    !needsAny(scope, dependencies, base.source)
  );
}

/** Returns true if a dependency is a changed table of this or another source. */
function needsAny(
  { changed, others, dependsOnOtherSources }: TablesScope,
  dependencies: Dependencies,
  own: string,
): boolean {
  if (changed.size === 0 && !dependsOnOtherSources) return false;
  for (const { source, keys } of neededTables(dependencies)) {
    if (source !== own ? others.hasChanged(source) : keys.some((key) => changed.has(key))) return true;
  }
  return false;
}

/** Dependencies of one object, or of all objects of a table by key. */
type Dependencies = readonly Dependency[] | AnalyzedTable["dependencies"];

/** Keys of tables in one source. */
interface NeededTables {
  readonly source: string;
  readonly keys: readonly string[];
}

/** Cached by identity, because every change checks the dependencies of all tables. */
const needed = new WeakMap<Dependencies, readonly NeededTables[]>();

function neededTables(dependencies: Dependencies): readonly NeededTables[] {
  let tables = needed.get(dependencies);
  if (tables === undefined) {
    const bySource = new Map<string, Set<string>>();
    for (const { on } of [...dependencies.values()].flat()) {
      if (on.kind !== "table") continue;
      const keys = bySource.get(on.source) ?? new Set();
      bySource.set(on.source, keys.add(qualifiedKey(on.table)));
    }
    tables = Array.from(bySource, ([source, keys]) => ({ source, keys: [...keys] }));
    needed.set(dependencies, tables);
  }
  return tables;
}

class OwnedObjects {
  readonly #scope: TablesScope;
  readonly #fields: TableFields;
  readonly #previous: AnalyzedTable | undefined;
  readonly #findings: Findings;
  readonly #address: TableAddress;
  readonly #dependencies: [string, readonly Dependency[]][] = [];

  constructor(scope: TablesScope, fields: TableFields, previous: AnalyzedTable | undefined, findings: Findings) {
    this.#scope = scope;
    this.#fields = fields;
    this.#previous = previous;
    this.#findings = findings;
    this.#address = scope.context.addressOf(fields.base.table.table);
  }

  /** Returns the consistent permissions of one kind, sorted by role. */
  permissions<P, A extends { readonly permission: Permission<P> }>(
    kind: PermissionKind,
    declared: readonly Permission<P>[],
    previous: ReadonlyMap<string, A> | undefined,
    bind: (scope: PermissionScope, permission: Permission<P>) => A,
  ): ReadonlyMap<string, A> {
    const objectOf = (permission: Permission<P>) => permissionObject(this.#address, kind, permission);
    const analyzed: [string, A][] = [];
    for (const permission of this.#findings.withoutDuplicates(declared, ({ role }) => role, objectOf)) {
      const { role } = permission;
      const { source, table } = this.#address;
      const id: ObjectId = { kind: "permission", source, table, permission: kind, role };
      const earlier = previous?.get(role);
      const result =
        earlier?.permission === permission && this.#reuse(id)
          ? earlier
          : this.#bind(
              id,
              () => objectOf(permission),
              `in permission for role "${role}"`,
              (uses) => bind(this.#permissionScope(uses), permission),
            );
      if (result !== undefined) analyzed.push([role, result]);
    }
    return inOrder(analyzed, previous);
  }

  eventTriggers(): ReadonlyMap<string, AnalyzedEventTrigger> {
    const { options } = this.#scope.context;
    const objectOf = (trigger: EventTrigger) => eventTriggerObject(this.#address, trigger);
    const declared = this.#fields.base.table.event_triggers;
    const analyzed: [string, AnalyzedEventTrigger][] = [];
    for (const trigger of this.#findings.withoutDuplicates(declared, ({ name }) => name, objectOf)) {
      const { name } = trigger;
      const object = objectOf(trigger);
      const result = this.#bind(
        object.id,
        () => object,
        `in event trigger "${name}"`,
        (uses) => bindEventTrigger(this.#predicateScope(uses), trigger, options.environment),
      );
      if (result !== undefined) analyzed.push([name, result]);
    }
    return shareMap(this.#previous?.eventTriggers, inOrder(analyzed, undefined));
  }

  /** Returns the dependencies of all objects of the table. */
  dependencies(): AnalyzedTable["dependencies"] {
    return new Map([...this.#fields.dependencies(), ...this.#dependencies]);
  }

  #predicateScope(uses: Uses): PredicateScope {
    const { context, tables, others } = this.#scope;
    return { context, tables, root: this.#fields, row: this.#fields, uses, others };
  }

  #permissionScope(uses: Uses): PermissionScope {
    const { context, tables, others } = this.#scope;
    return { context, tables, table: this.#fields, uses, others };
  }

  #bind<T>(id: ObjectId, object: () => MetadataObject, where: string, build: (uses: Uses) => T): T | undefined {
    const uses = new Uses();
    uses.table(this.#fields);
    const place = `in table "${this.#address.displayName}": ${where}: `;
    const result = this.#findings.attempt(object, place, () => build(uses));
    if (result !== undefined) this.#dependencies.push([objectKey(id), uses.dependenciesOf(id)]);
    return result;
  }

  /** Returns true if no dependency of the object changed since the previous analysis, and records its dependencies. */
  #reuse(id: ObjectId): boolean {
    const key = objectKey(id);
    const dependencies = this.#previous?.dependencies.get(key);
    if (dependencies === undefined) return false;
    if (needsAny(this.#scope, dependencies, this.#address.source)) return false;
    this.#dependencies.push([key, dependencies]);
    return true;
  }
}

/** Returns the entries sorted by key, or `previous` if it has the same entries. */
function inOrder<V>(entries: [string, V][], previous: ReadonlyMap<string, V> | undefined): ReadonlyMap<string, V> {
  if (previous?.size === entries.length && entries.every(([key, value]) => previous.get(key) === value)) {
    return previous;
  }
  return new Map(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
