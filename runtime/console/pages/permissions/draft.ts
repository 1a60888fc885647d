/** Draft of a permission and the operations that save it. */

import type { JsonObject, Permission, QualifiedName, Source, Table } from "../../http/metadata-types.ts";
import { type Operation, prefixOf } from "../../http/operation.ts";

export const actions = ["select", "insert", "update", "delete"] as const;
export type Action = (typeof actions)[number];

/** Permissions of each table by action and role. Tables of loaded metadata never change. */
const indexes = new WeakMap<Table, Readonly<Record<Action, ReadonlyMap<string, Permission>>>>();

function indexOf(table: Table): Readonly<Record<Action, ReadonlyMap<string, Permission>>> {
  const known = indexes.get(table);
  if (known) return known;
  const byRole = (action: Action) => new Map((table[`${action}_permissions`] ?? []).map((each) => [each.role, each]));
  const index = {
    select: byRole("select"),
    insert: byRole("insert"),
    update: byRole("update"),
    delete: byRole("delete"),
  };
  indexes.set(table, index);
  return index;
}

/** Returns the permission of a role in the metadata, or `null`. */
export const permissionOf = (table: Table, action: Action, role: string): Permission | null =>
  indexOf(table)[action].get(role) ?? null;

/** Initial values of new permissions: no columns are permitted. */
export const emptyPermissions: Readonly<Record<Action, JsonObject>> = {
  select: { columns: [], filter: {} },
  insert: { columns: [], check: {} },
  update: { columns: [], filter: {}, check: null },
  delete: { filter: {} },
};

export interface PermissionLocation {
  readonly source: Source;
  readonly table: QualifiedName;
  readonly action: Action;
  readonly role: string;
}

/** The permissions of one role on one table. */
export interface Cell {
  readonly table: Table;
  readonly role: string;
}

interface PermissionChange {
  readonly before: Permission | null;
  /** `null` to delete the permission. */
  readonly after: JsonObject | null;
  /** New comment; without it, the permission keeps its comment. */
  readonly comment?: string | undefined;
}

/** Returns the operations of the change in the order of execution. */
export function operationsFor(
  { source, table, action, role }: PermissionLocation,
  { before, after, comment = before?.comment }: PermissionChange,
): readonly Operation[] {
  const prefix = prefixOf(source.kind);
  const args = { source: source.name, table, role };
  const drop: Operation = { type: `${prefix}_drop_${action}_permission`, args };
  const create: Operation = {
    type: `${prefix}_create_${action}_permission`,
    args: { ...args, permission: after, ...(comment !== undefined && { comment }) },
  };
  return [...(before ? [drop] : []), ...(after ? [create] : [])];
}

/** Returns the permitted columns; `"*"` for all. */
export function columnsOf(permission: JsonObject): "*" | readonly string[] {
  const { columns } = permission;
  if (columns === "*") return "*";
  return Array.isArray(columns) ? columns.filter((name): name is string => typeof name === "string") : [];
}

export const isEmptyFilter = (filter: unknown): boolean =>
  typeof filter !== "object" || filter === null || Object.keys(filter).length === 0;
