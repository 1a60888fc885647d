/** Draft of a permission and the operations that save it. */
import { type Operation, prefixOf } from "../../http/metadata-api.ts";
import type { JsonObject, Permission, QualifiedName, Source, Table } from "../../http/metadata-types.ts";

export const actions = ["select", "insert", "update", "delete"] as const;
export type Action = (typeof actions)[number];

/** Returns the permission of a role in the metadata, or `null`. */
export function permissionOf(table: Table, action: Action, role: string): Permission | null {
  const list = table[`${action}_permissions`] ?? [];
  return list.find((permission) => permission.role === role) ?? null;
}

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

interface PermissionChange {
  readonly before: Permission | null;
  /** `null` to delete the permission. */
  readonly after: JsonObject | null;
}

/** Returns the operations of the change in the order of execution. */
export function operationsFor(
  { source, table, action, role }: PermissionLocation,
  { before, after }: PermissionChange,
): readonly Operation[] {
  const prefix = prefixOf(source.kind);
  const args = { source: source.name, table, role };
  const comment = before?.comment === undefined ? {} : { comment: before.comment };
  const drop: Operation = { type: `${prefix}_drop_${action}_permission`, args };
  const create: Operation = {
    type: `${prefix}_create_${action}_permission`,
    args: { ...args, permission: after, ...comment },
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
