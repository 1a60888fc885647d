/**
 * Permissions that inherited roles get from their parents. A permission declared for the role itself takes precedence,
 * even an inconsistent one: the role then has no access, rather than more than intended.
 */
import { stringifyJson } from "../../runtime/values/json-number.ts";
import type { Permission } from "../catalog/model.ts";
import type { InheritedRole } from "../catalog/outside-sources.ts";
import { printRemoteType, type RemoteField, type RemoteInput, type RemoteType } from "../shape/remote-shape.ts";
import type { Analysis, AnalyzedRemoteSchema, RemotePreset, RemoteRoleShape } from "./analysis.ts";
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
import { ofGroup, type TableGroup } from "./table-map.ts";

type InheritedRoles = ReadonlyMap<string, InheritedRole>;

/** The permissions of one kind on one object. */
export interface Grants<T> {
  /** Consistent permissions by role. */
  readonly permissions: ReadonlyMap<string, T>;
  /** All permissions in the metadata, consistent or not. */
  readonly declared: readonly { readonly role: string }[];
}

/** Returns the select permissions that apply to a role: its own, or its ancestors' permissions; sorted by role. */
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
 * Returns the write permission that applies to a role: its own, or the permission on which all parents that have one
 * agree; `"conflict"` if they differ. A parent in conflict counts as a parent without permission.
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

/** Permissions of each kind on a table, and the text by which two permissions of a kind are compared. */
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

/** Returns the same text for predicates that differ only in the order of `_and` and `_or`. */
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
    case "crossSource":
      return stringifyJson({ ...predicate, rows: { ...predicate.rows, where: normalForm(predicate.rows.where) } });
  }
}

/**
 * Caches the result of `work` by table group and inherited role, for the lifetime of the group and of the map of
 * inherited roles, which is replaced only when a role changes. `work` must not depend on anything else.
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

/** Returns informational entries for permissions that are not inherited because the parents' permissions differ. */
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

/** The access of a role to a remote schema. */
export interface RemoteGrant {
  /** Role whose permission document applies. */
  readonly role: string;
  readonly shape: RemoteRoleShape;
}

/** Returns the access granted by the role's own permission document, or else by its parents' documents. */
export function remotePermission(
  { schema, permissions }: Pick<AnalyzedRemoteSchema, "schema" | "permissions">,
  role: string,
  inheritedRoles: InheritedRoles,
): RemoteGrant | "conflict" | undefined {
  const shapes = new Map([...permissions].map(([name, shape]) => [name, { role: name, shape }]));
  const grants = { permissions: shapes, declared: schema.permissions };
  return writingPermission(grants, role, inheritedRoles, ({ shape }) => remoteForm(shape));
}

/** Returns the table name in JSON: a string in the default schema, else an object. */
function printedName({ table: { table }, displayName }: AnalyzedTable) {
  return displayName === table.name ? table.name : { schema: table.schema, name: table.name };
}

/** @param why appended to the message; absent if the reason is that the parents' permissions differ */
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

// Returns a text that is equal for permission documents with the same effect, regardless of their order.

function remoteForm({ query, mutation, subscription, types, presets }: RemoteRoleShape): string {
  const all = [...types.values()].map(typeForm).sort();
  return JSON.stringify([query, mutation ?? null, subscription ?? null, all, presets.map(presetForm).sort()]);
}

function typeForm(type: RemoteType): string {
  const head = [type.kind, type.name];
  switch (type.kind) {
    case "scalar":
      return JSON.stringify(head);
    case "enum":
      return JSON.stringify([...head, type.values.map(({ name }) => name).sort()]);
    case "union":
      return JSON.stringify([...head, [...type.members].sort()]);
    case "input_object":
      return JSON.stringify([...head, type.fields.map(inputForm).sort()]);
    case "object":
    case "interface":
      return JSON.stringify([...head, [...type.interfaces].sort(), type.fields.map(fieldForm).sort()]);
  }
}

function fieldForm({ name, type, arguments: args }: RemoteField): string {
  return JSON.stringify([name, printRemoteType(type), args.map(inputForm).sort()]);
}

function inputForm({ name, type, defaultValue }: RemoteInput): string {
  return JSON.stringify([name, printRemoteType(type), defaultValue ?? null]);
}

function presetForm({ type, field, argument, value }: RemotePreset): string {
  return JSON.stringify([type, field, argument ?? null, value]);
}
