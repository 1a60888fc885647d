/**
 * Resolves `_permitted`: adds to each reference the row filter of the role's select permission on the table that the
 * relationship leads to. Runs after all permissions of a source are bound, because permissions may refer to each other.
 */
import { invariant } from "../../runtime/values/errors.ts";
import type { Permission, PermissionKind } from "../catalog/model.ts";
import type { InheritedRole } from "../catalog/outside-sources.ts";
import type { AnalyzedSelect, AnalyzedTable, Predicate } from "./analyzed-table.ts";
import { readingPermissions } from "./inherited-permissions.ts";
import type { Dependency, ObjectId } from "./object-id.ts";
import { permittedKey } from "./permitted.ts";
import { partsOf } from "./predicate-parts.ts";
import { Rejection, reject } from "./rejection.ts";
import { ofGroup } from "./table-map.ts";

type Permitted = Extract<Predicate, { kind: "permitted" }>;

/** The tables of a source with bound permissions. */
interface TablesWithPermissions {
  get(key: string): AnalyzedTable | undefined;
}

export type InheritedRoles = ReadonlyMap<string, InheritedRole>;

/** Returns the references in a predicate, without those in the row filters that they lead to. */
export function referencesIn(predicate: Predicate): readonly Permitted[] {
  return [...partsOf(predicate, ({ kind }) => kind !== "permitted")].filter((part) => part.kind === "permitted");
}

/** The parts of a permission of any kind that can refer to other permissions. */
export interface AnyPermission {
  readonly filter?: Predicate;
  readonly check?: Predicate;
  readonly parents?: readonly AnyPermission[];
}

type Permissions = Pick<AnalyzedTable, PermissionKind>;

/** Returns the permissions of a table with those replaced that refer to others; `undefined` leaves a permission out. */
export function mapReferring(
  table: Permissions,
  replace: <T extends AnalyzedPermission>(kind: PermissionKind, role: string, permission: T) => T | undefined,
): Permissions {
  const of = <T extends AnalyzedPermission>(kind: PermissionKind, permissions: ReadonlyMap<string, T>) => {
    if (![...permissions.values()].some(refers)) return permissions;
    const kept = new Map<string, T>();
    for (const [role, permission] of permissions) {
      const replaced = refers(permission) ? replace(kind, role, permission) : permission;
      if (replaced !== undefined) kept.set(role, replaced);
    }
    return kept;
  };
  return {
    select: of("select", table.select),
    insert: of("insert", table.insert),
    update: of("update", table.update),
    delete: of("delete", table.delete),
  };
}

/** A bound permission of any kind. */
export type AnalyzedPermission = AnyPermission & { readonly permission: Permission<unknown> };

/** Returns the conditions of a permission and of the permissions that it merges. */
function conditionsOf({ filter, check, parents = [] }: AnyPermission): readonly Predicate[] {
  return [filter, check, ...parents.flatMap(conditionsOf)].filter((predicate) => predicate !== undefined);
}

export const refers = (permission: AnyPermission): boolean =>
  conditionsOf(permission).some((each) => referencesIn(each).length > 0);

/** Returns the tables of a group with a permission that refers to another one. */
export const referringTables = ofGroup((group) =>
  group.filter(({ select, insert, update, delete: remove }) =>
    [select, insert, update, remove].some((permissions) => [...permissions.values()].some(refers)),
  ),
);

/** Resolves the references of one role. */
export class RoleReferences {
  readonly #tables: TablesWithPermissions;
  readonly #role: string;
  readonly #inheritedRoles: InheritedRoles;
  /** Row filters or faults of select permissions, by table. */
  readonly #known = new Map<string, Predicate | Rejection>();

  constructor(tables: TablesWithPermissions, role: string, inheritedRoles: InheritedRoles) {
    this.#tables = tables;
    this.#role = role;
    this.#inheritedRoles = inheritedRoles;
  }

  /**
   * Returns a permission on a table with its references resolved, or the same object if it has none.
   * @throws Rejection, also for a select permission that refers to itself
   */
  permission<T extends AnyPermission>(kind: PermissionKind, table: AnalyzedTable, permission: T): T {
    if (!refers(permission)) return permission;
    if (kind === "select") this.#checkCycle(table);
    return this.#resolved(permission);
  }

  /**
   * Returns the select permissions without which a permission has a fault. With several parents that have one, an
   * inherited role keeps access if one of theirs is dropped.
   */
  dependencies(object: ObjectId, permission: AnyPermission): readonly Dependency[] {
    return [...targetsOf(conditionsOf(permission))].flatMap((key) => {
      const table = this.#tables.get(key);
      const [only, ...others] = table ? this.#selectsOn(table) : [];
      if (table === undefined || only === undefined || others.length > 0) return [];
      return [{ object, on: selectId(table, only.role) }];
    });
  }

  #resolved<T extends AnyPermission>(permission: T): T {
    const { filter, check, parents } = permission;
    return {
      ...permission,
      ...(filter && { filter: this.#resolve(filter) }),
      ...(check && { check: this.#resolve(check) }),
      ...(parents && { parents: parents.map((parent) => this.#resolved(parent)) }),
    };
  }

  #resolve(predicate: Predicate): Predicate {
    switch (predicate.kind) {
      case "and":
      case "or":
        return { ...predicate, items: predicate.items.map((item) => this.#resolve(item)) };
      case "not":
        return { ...predicate, item: this.#resolve(predicate.item) };
      case "related":
      case "computed_rows":
      case "exists":
        return { ...predicate, where: this.#resolve(predicate.where) };
      case "permitted":
        return { ...predicate, where: this.#filterOfTarget(predicate) };
      default:
        return predicate;
    }
  }

  /** Returns the rows of the target that the role may read. */
  #filterOfTarget({ owner, relationship: { name, target } }: Permitted): Predicate {
    const table = this.#tables.get(target);
    invariant(table !== undefined, `relationship ${name} has no target`);
    const known = this.#known.get(target) ?? this.#find(table, name, this.#tables.get(owner) ?? table);
    this.#known.set(target, known);
    if (known instanceof Rejection) throw known;
    return known;
  }

  #find(table: AnalyzedTable, relationship: string, owner: AnalyzedTable): Predicate | Rejection {
    const selects = this.#selectsOn(table);
    if (selects.length === 0) return this.#missing(table, relationship, owner);
    try {
      this.#checkCycle(table);
      const filters = selects.map(({ filter }) => this.#resolve(filter));
      const [only] = filters;
      return filters.length === 1 && only ? only : { kind: "or", items: filters };
    } catch (error) {
      if (error instanceof Rejection) return this.#inconsistent(table);
      throw error;
    }
  }

  #missing(table: AnalyzedTable, relationship: string, owner: AnalyzedTable): Rejection {
    if (table.table.select_permissions.some(({ role }) => role === this.#role)) return this.#inconsistent(table);
    const reason = `${permittedKey} follows relationship "${relationship}" of table "${owner.displayName}" to table "${table.displayName}", on which role "${this.#role}" has no select permission`;
    const hint = `create the select permission of role "${this.#role}" on table "${table.displayName}", or remove ${permittedKey}`;
    return new Rejection(reason, { hint, lacks: [selectId(table, this.#role)] });
  }

  #inconsistent(table: AnalyzedTable): Rejection {
    const reason = `${permittedKey} needs the select permission of role "${this.#role}" on table "${table.displayName}", which is inconsistent`;
    return new Rejection(reason, { lacks: [selectId(table, this.#role)] });
  }

  /** @throws Rejection if the role's select permission on the table refers to itself, directly or through others */
  #checkCycle(table: AnalyzedTable): void {
    const cycle = this.#cycleFrom(table);
    if (cycle === undefined) return;
    const names = cycle.map(({ displayName }) => `"${displayName}"`).join(" → ");
    reject(
      `${permittedKey} refers to itself: the select permissions of role "${this.#role}" need each other: ${names}`,
    );
  }

  /** Returns the shortest chain of tables whose select permissions lead back to the first one. */
  #cycleFrom(start: AnalyzedTable): readonly AnalyzedTable[] | undefined {
    const chains: (readonly AnalyzedTable[])[] = [[start]];
    const visited = new Set<string>();
    // The iteration also visits the chains that it appends.
    for (const chain of chains) {
      const last = chain.at(-1) ?? start;
      for (const key of targetsOf(this.#selectsOn(last).map(({ filter }) => filter))) {
        const next = this.#tables.get(key);
        if (next === undefined || visited.has(key)) continue;
        if (key === start.key) return [...chain, start];
        visited.add(key);
        chains.push([...chain, next]);
      }
    }
    return undefined;
  }

  #selectsOn({ select, table }: AnalyzedTable): readonly AnalyzedSelect[] {
    const grants = { permissions: select, declared: table.select_permissions };
    return readingPermissions(grants, this.#role, this.#inheritedRoles);
  }
}

/** Returns the keys of the tables to which references in the predicates lead. */
function targetsOf(predicates: readonly Predicate[]): ReadonlySet<string> {
  return new Set(predicates.flatMap((each) => referencesIn(each).map(({ relationship }) => relationship.target)));
}

function selectId({ source, table: { table } }: AnalyzedTable, role: string): ObjectId {
  return { kind: "permission", source, table, permission: "select", role };
}
