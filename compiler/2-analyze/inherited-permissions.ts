/**
 * What inherited roles get from their parents (`permissions-and-auth.md` 13). A permission of the role's own wins
 * outright, also one that is inconsistent: then the role may not, rather than more than was meant.
 */
import { stringifyJson } from "../../runtime/values/json-number.ts";
import type { Permission } from "../catalog/model.ts";
import type { InheritedRole } from "../catalog/outside-sources.ts";
import type { Analysis, AnalyzedRemoteSchema, RemoteRoleShape } from "./analysis.ts";
import type {
  AnalyzedDelete,
  AnalyzedInsert,
  AnalyzedSelect,
  AnalyzedTable,
  AnalyzedUpdate,
  Predicate,
  Presets,
} from "./analyzed-table.ts";
import type { Inconsistency } from "./inconsistency.ts";
import { inheritedRoleObject } from "./metadata-objects.ts";
import { remoteForm } from "./remote-form.ts";
import { ofGroup, type TableGroup } from "./table-map.ts";

type InheritedRoles = ReadonlyMap<string, InheritedRole>;

/** The permissions of one kind on one object. */
export interface Grants<T> {
  /** Consistent ones, by role. */
  readonly permissions: ReadonlyMap<string, T>;
  /** All of the metadata, consistent or not. */
  readonly declared: readonly { readonly role: string }[];
}

/** The permissions that a role reads by: its own, or those of its parents and of their parents; in order of roles. */
export function readingPermissions(
  { permissions, declared }: Grants<AnalyzedSelect>,
  role: string,
  inheritedRoles: InheritedRoles,
): readonly AnalyzedSelect[] {
  const isDeclared = new Set(declared.map((permission) => permission.role));
  const found = new Set<AnalyzedSelect>();
  const visited = new Set<string>();
  const visit = (name: string): void => {
    if (visited.has(name)) return;
    visited.add(name);
    const own = permissions.get(name);
    if (own) found.add(own);
    else if (!isDeclared.has(name)) inheritedRoles.get(name)?.role_set.forEach(visit);
  };
  visit(role);
  return [...found].sort((a, b) => (a.role < b.role ? -1 : 1));
}

/**
 * The permission that a role writes by: its own, or the one that all parents with such a permission agree on;
 * `"conflict"` where they do not. A parent in conflict has none.
 */
export function writingPermission<T extends { readonly role: string }>(
  { permissions, declared }: Grants<T>,
  role: string,
  inheritedRoles: InheritedRoles,
  formOf: (permission: T) => string,
): T | "conflict" | undefined {
  const isDeclared = new Set(declared.map((permission) => permission.role));
  const known = new Map<string, T | "conflict" | undefined>();
  const combine = (parents: readonly string[]): T | "conflict" | undefined => {
    const given = parents.map(resolve).filter((permission) => permission !== undefined && permission !== "conflict");
    const forms = new Set(given.map(formOf));
    return forms.size > 1 ? "conflict" : given.sort((a, b) => (a.role < b.role ? -1 : 1))[0];
  };
  const resolve = (name: string): T | "conflict" | undefined => {
    const own = permissions.get(name);
    if (own || isDeclared.has(name)) return own;
    if (!known.has(name)) known.set(name, combine(inheritedRoles.get(name)?.role_set ?? []));
    return known.get(name);
  };
  return resolve(role);
}

/** The grants of each kind on a table, and what makes two permissions of a kind the same. */
export const writeKinds = {
  insert: {
    grants: (table: AnalyzedTable): Grants<AnalyzedInsert> => ({
      permissions: table.insert,
      declared: table.table.insert_permissions,
    }),
    formOf: ({ columns, presets, check, permission }: AnalyzedInsert): string =>
      writeForm(permission, [namesOf(columns), presetsOf(presets), normalForm(check)]),
  },
  update: {
    grants: (table: AnalyzedTable): Grants<AnalyzedUpdate> => ({
      permissions: table.update,
      declared: table.table.update_permissions,
    }),
    formOf: ({ columns, presets, filter, check, permission }: AnalyzedUpdate): string =>
      writeForm(permission, [namesOf(columns), presetsOf(presets), normalForm(filter), normalForm(check)]),
  },
  delete: {
    grants: (table: AnalyzedTable): Grants<AnalyzedDelete> => ({
      permissions: table.delete,
      declared: table.table.delete_permissions,
    }),
    formOf: ({ filter, permission }: AnalyzedDelete): string => writeForm(permission, [normalForm(filter)]),
  },
} as const;

function writeForm(
  { permission }: Permission<{ readonly backend_only?: boolean | null; readonly validate_input?: unknown }>,
  parts: readonly unknown[],
): string {
  return stringifyJson([...parts, permission.backend_only ?? false, permission.validate_input ?? null]);
}

const namesOf = (columns: AnalyzedInsert["columns"]): readonly string[] => columns.map(({ name }) => name);

const presetsOf = (presets: Presets): unknown => presets.map(({ column, value }) => [column.name, value]);

/** The same text for expressions that differ in the order of `_and` and `_or` only. */
function normalForm(predicate: Predicate): string {
  switch (predicate.kind) {
    case "and":
    case "or": {
      const items = predicate.items.map(normalForm).sort();
      return stringifyJson([predicate.kind, items]);
    }
    case "not":
      return stringifyJson([predicate.kind, normalForm(predicate.item)]);
    case "related":
    case "computed_rows":
    case "exists":
      return stringifyJson({ ...predicate, where: normalForm(predicate.where) });
    case "is_null":
    case "compare":
    case "compare_structured":
    case "compare_columns":
      return stringifyJson(predicate);
    case "elsewhere":
      return stringifyJson({ ...predicate, rows: { ...predicate.rows, where: normalForm(predicate.rows.where) } });
  }
}

/**
 * What `work` makes of a group of tables for an inherited role, kept as long as the group and the inherited roles: these
 * are one object while none of them changes. It may look at nothing else.
 */
export function ofGroupAndInheritedRole<T>(
  work: (group: TableGroup, role: string, inheritedRoles: InheritedRoles) => T,
): (role: string, inheritedRoles: InheritedRoles) => (group: TableGroup) => T {
  const known = new WeakMap<InheritedRoles, Map<string, (group: TableGroup) => T>>();
  return (role, inheritedRoles) => {
    const byRole = known.get(inheritedRoles) ?? new Map<string, (group: TableGroup) => T>();
    known.set(inheritedRoles, byRole);
    const kept = byRole.get(role) ?? ofGroup((group) => work(group, role, inheritedRoles));
    byRole.set(role, kept);
    return kept;
  };
}

/** Entries for what inherited roles do not get, because their parents' permissions differ. */
export function inheritanceConflicts({
  sources,
  remoteSchemas,
  inheritedRoles,
  inheritedClashes,
}: Pick<Analysis, "sources" | "remoteSchemas" | "inheritedRoles" | "inheritedClashes">): readonly Inconsistency[] {
  const entries: Inconsistency[] = [];
  for (const role of inheritedRoles.values()) {
    const conflictsOf = tableConflicts(role.role_name, inheritedRoles);
    for (const { tables } of sources.values()) {
      for (const group of tables.groups) {
        for (const { table, kind } of conflictsOf(group)) entries.push(tableConflict(role, table, kind));
      }
    }
    for (const remote of remoteSchemas.values()) {
      const { name } = remote.schema;
      const clash = inheritedClashes.get(role.role_name)?.get(name);
      if (clash === undefined && remotePermission(remote, role.role_name, inheritedRoles) !== "conflict") continue;
      entries.push(conflict(role, `remote schema: '${name}'`, { remote_schema: name }, clash));
    }
  }
  return entries;
}

const tableConflicts = ofGroupAndInheritedRole((group, role, inheritedRoles) =>
  group.flatMap((table) => conflictingKinds(table, role, inheritedRoles).map((kind) => ({ table, kind }))),
);

function tableConflict(role: InheritedRole, table: AnalyzedTable, kind: string): Inconsistency {
  const { source, displayName } = table;
  const entity = { permission_type: kind, source, table: printedName(table) };
  return conflict(role, `${kind} permission, table: ${displayName}, source: '${source}'`, entity);
}

function conflictingKinds(table: AnalyzedTable, role: string, inherited: InheritedRoles): readonly string[] {
  const { insert, update, delete: remove } = writeKinds;
  const found = {
    insert: writingPermission(insert.grants(table), role, inherited, insert.formOf),
    update: writingPermission(update.grants(table), role, inherited, update.formOf),
    delete: writingPermission(remove.grants(table), role, inherited, remove.formOf),
  };
  return Object.entries(found).flatMap(([kind, permission]) => (permission === "conflict" ? [kind] : []));
}

/** What a role may use of a remote schema. */
export interface RemoteGrant {
  /** Whose document it is. */
  readonly role: string;
  readonly shape: RemoteRoleShape;
}

/** By the role's own document or those of its parents. */
export function remotePermission(
  { schema, permissions }: Pick<AnalyzedRemoteSchema, "schema" | "permissions">,
  role: string,
  inheritedRoles: InheritedRoles,
): RemoteGrant | "conflict" | undefined {
  const shapes = new Map([...permissions].map(([name, shape]) => [name, { role: name, shape }]));
  const grants = { permissions: shapes, declared: schema.permissions };
  return writingPermission(grants, role, inheritedRoles, ({ shape }) => remoteForm(shape));
}

/** The name alone where the table is in the default schema. */
function printedName({ table: { table }, displayName }: AnalyzedTable) {
  return displayName === table.name ? table.name : { schema: table.schema, name: table.name };
}

/** @param why where it is not that the parents' permissions differ */
function conflict(
  role: InheritedRole,
  label: string,
  entity: Inconsistency["entity"] & object,
  why?: string,
): Inconsistency {
  const subject = `Could not inherit permission for the role '${role.role_name}' for the entity: '${label}'`;
  return {
    ...inheritedRoleObject(role),
    type: "inherited role permission inconsistency",
    name: role.role_name,
    reason: why === undefined ? subject : `${subject}: ${why}`,
    entity,
    informational: true,
  };
}
