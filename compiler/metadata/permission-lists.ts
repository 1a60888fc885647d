/** Uniform access to the four permission lists of a table: finds, stores and drops a permission of any kind. */

import type {
  DeletePermission,
  InsertPermission,
  Permission,
  PermissionKind,
  SelectPermission,
  Table,
  UpdatePermission,
} from "../catalog/model.ts";
import { mapWhere, put, set, without } from "./edit.ts";

export interface PermissionOf {
  readonly insert: InsertPermission;
  readonly select: SelectPermission;
  readonly update: UpdatePermission;
  readonly delete: DeletePermission;
}

/** Reads and replaces the permissions of one kind. */
export interface PermissionList<P> {
  of(table: Table): readonly Permission<P>[];
  store(table: Table, permissions: readonly Permission<P>[]): Table;
}

export const permissionLists: { readonly [K in PermissionKind]: PermissionList<PermissionOf[K]> } = {
  insert: {
    of: (table) => table.insert_permissions,
    store: (table, permissions) => set(table, "insert_permissions", permissions),
  },
  select: {
    of: (table) => table.select_permissions,
    store: (table, permissions) => set(table, "select_permissions", permissions),
  },
  update: {
    of: (table) => table.update_permissions,
    store: (table, permissions) => set(table, "update_permissions", permissions),
  },
  delete: {
    of: (table) => table.delete_permissions,
    store: (table, permissions) => set(table, "delete_permissions", permissions),
  },
};

export function hasPermission(table: Table, kind: PermissionKind, role: string): boolean {
  return permissionLists[kind].of(table).some((permission) => permission.role === role);
}

export function putPermission<P>(list: PermissionList<P>, table: Table, permission: Permission<P>): Table {
  return list.store(
    table,
    put(list.of(table), permission, ({ role }) => role === permission.role),
  );
}

export function dropPermission(table: Table, kind: PermissionKind, role: string): Table {
  return editList(table, kind, { edit: (permissions) => without(permissions, (each) => each.role === role) });
}

/** Stores the comment of a permission; `undefined` removes it. */
export function commentPermission(
  table: Table,
  kind: PermissionKind,
  role: string,
  comment: string | undefined,
): Table {
  return editList(table, kind, {
    edit: (permissions) =>
      mapWhere(
        permissions,
        (each) => each.role === role,
        ({ comment: _previous, ...others }) => ({
          ...others,
          ...(comment !== undefined && { comment }),
        }),
      ),
  });
}

/** An edit of a permission list that does not depend on the kind of permission. */
interface ListEdit {
  edit<P>(permissions: readonly Permission<P>[]): readonly Permission<P>[];
}

function editList(table: Table, kind: PermissionKind, { edit }: ListEdit): Table {
  const apply = <P>({ of, store }: PermissionList<P>): Table => store(table, edit(of(table)));
  switch (kind) {
    case "insert":
      return apply(permissionLists.insert);
    case "select":
      return apply(permissionLists.select);
    case "update":
      return apply(permissionLists.update);
    case "delete":
      return apply(permissionLists.delete);
  }
}
