/**
 * Permissions that inherited roles get from their parents. A permission declared for the role itself takes precedence,
 * even an inconsistent one: the role then has no access, rather than more than intended.
 */
import type { PermissionKind } from "../catalog/model.ts";
import type { InheritedRole } from "../catalog/outside-sources.ts";
import { printRemoteType, type RemoteField, type RemoteInput, type RemoteType } from "../shape/remote-shape.ts";
import type { Analysis, AnalyzedRemoteSchema, RemotePreset, RemoteRoleShape } from "./analysis.ts";
import type { AnalyzedSelect, AnalyzedTable } from "./analyzed-table.ts";
import type { Inconsistency } from "./inconsistency.ts";
import { inheritedRoleObject } from "./metadata-objects.ts";
import { ofGroup, type TableGroup } from "./table-map.ts";
import { type Combination, type Grants, MergeFault, type WriteKind, writeKinds } from "./write-kinds.ts";

type InheritedRoles = ReadonlyMap<string, InheritedRole>;

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

/** The parents' permissions differ, so the role inherits no permission. */
export class Conflict {
  /** Reason why the permissions cannot be merged; absent if the role does not merge permissions. */
  readonly why: string | undefined;

  constructor(why?: string) {
    this.why = why;
  }
}

/**
 * Returns the write permission that applies to a role: its own, or the permission on which all parents that have one
 * agree. If they differ, it is their merged permission, for roles that merge permissions, or else a conflict. A parent in
 * conflict counts as a parent without permission.
 */
export function writingPermission<T extends { readonly role: string }>(
  { permissions, declared }: Grants<T>,
  role: string,
  inheritedRoles: InheritedRoles,
  { formOf, merge }: Combination<T>,
): T | Conflict | undefined {
  const isDeclared = new Set(declared.map((permission) => permission.role));
  const known = new Map<string, T | Conflict | undefined>();
  const combine = ({ role_name, role_set, merge: merges }: InheritedRole): T | Conflict | undefined => {
    const found = role_set.map(resolve).filter((each) => each !== undefined && !(each instanceof Conflict));
    const given = (found as T[]).sort((a, b) => (a.role < b.role ? -1 : 1));
    const forms = new Set(given.map(formOf));
    if (forms.size <= 1) return given[0];
    if (merges !== true || merge === undefined) return new Conflict();
    const merged = merge(role_name, given);
    return merged instanceof MergeFault ? new Conflict(merged.why) : merged;
  };
  const resolve = (name: string): T | Conflict | undefined => {
    const own = permissions.get(name);
    if (own || isDeclared.has(name)) return own;
    const inherited = inheritedRoles.get(name);
    if (inherited && !known.has(name)) known.set(name, combine(inherited));
    return known.get(name);
  };
  return resolve(role);
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
        for (const found of conflictsOf(group)) entries.push(tableConflict(role, found));
      }
    }
    for (const remote of remoteSchemas.values()) {
      const { name } = remote.schema;
      const clash = inheritedClashes.get(role.role_name)?.get(name);
      const isGranted = !(remotePermission(remote, role.role_name, inheritedRoles) instanceof Conflict);
      if (clash === undefined && isGranted) continue;
      entries.push(conflict(role, `remote schema: '${name}'`, { remote_schema: name }, clash));
    }
  }
  return entries;
}

/** A permission that a role does not inherit. */
export interface TableConflict {
  readonly table: AnalyzedTable;
  readonly kind: PermissionKind;
  readonly why: string | undefined;
}

const tableConflicts = ofGroupAndInheritedRole((group, role, inheritedRoles) =>
  group.flatMap((table) => conflictsOn(table, role, inheritedRoles)),
);

export function tableConflict(role: InheritedRole, { table, kind, why }: TableConflict): Inconsistency {
  const { source, displayName } = table;
  const entity = { permission_type: kind, source, table: printedName(table) };
  return conflict(role, `${kind} permission, table: ${displayName}, source: '${source}'`, entity, why);
}

function conflictsOn(table: AnalyzedTable, role: string, inherited: InheritedRoles): readonly TableConflict[] {
  return writeKindNames.flatMap((kind) => {
    const found = writePermission(table, kind, role, inherited);
    return found instanceof Conflict ? [{ table, kind, why: found.why }] : [];
  });
}

type WriteKindName = keyof typeof writeKinds;
const writeKindNames = ["insert", "update", "delete"] as const;

/** Returns the write permission of a kind on a table that applies to a role. */
export function writePermission(table: AnalyzedTable, kind: WriteKindName, role: string, inherited: InheritedRoles) {
  const of = <T extends { readonly role: string }>({ grants, combination }: WriteKind<T>): T | Conflict | undefined =>
    writingPermission(grants(table), role, inherited, combination(table));
  return {
    insert: () => of(writeKinds.insert),
    update: () => of(writeKinds.update),
    delete: () => of(writeKinds.delete),
  }[kind]();
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
): RemoteGrant | Conflict | undefined {
  const shapes = new Map([...permissions].map(([name, shape]) => [name, { role: name, shape }]));
  const grants = { permissions: shapes, declared: schema.permissions };
  return writingPermission(grants, role, inheritedRoles, { formOf: ({ shape }) => remoteForm(shape) });
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
