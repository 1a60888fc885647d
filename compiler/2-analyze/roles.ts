/** The roles of the metadata. `admin` is in none of the lists: it needs no permission. */
import type { Action, Catalog, RemoteSchema } from "../catalog/model.ts";
import type { AnalyzedSource } from "./analysis.ts";

/** Every role that a permission of the metadata names, whether the permission is consistent or not. */
export function declaredRoles({ sources, actions, remote_schemas }: Catalog): ReadonlySet<string> {
  const roles = new Set<string>();
  const add = (permissions: readonly { readonly role: string }[]) => {
    for (const { role } of permissions) roles.add(role);
  };
  for (const { tables, functions, logical_models, native_queries } of sources) {
    for (const table of tables) {
      add(table.select_permissions);
      add(table.insert_permissions);
      add(table.update_permissions);
      add(table.delete_permissions);
    }
    for (const { permissions } of functions) add(permissions);
    for (const { select_permissions } of logical_models) add(select_permissions);
    for (const { returns } of native_queries) if (typeof returns !== "string") add(returns.select_permissions);
  }
  for (const { permissions } of [...actions, ...remote_schemas]) add(permissions);
  return roles;
}

interface Consistent {
  readonly sources: ReadonlyMap<string, AnalyzedSource>;
  readonly actions: ReadonlyMap<string, Action>;
  readonly remoteSchemas: ReadonlyMap<string, RemoteSchema>;
  readonly inheritedRoles: ReadonlyMap<string, unknown>;
}

/** Every role that a consistent object names, in order. */
export function consistentRoles({ sources, actions, remoteSchemas, inheritedRoles }: Consistent): readonly string[] {
  const roles = new Set<string>(inheritedRoles.keys());
  for (const { permissions } of [...actions.values(), ...remoteSchemas.values()]) {
    for (const { role } of permissions) roles.add(role);
  }
  for (const { tables, functions, logicalModels, nativeQueries } of sources.values()) {
    for (const table of tables.values()) {
      for (const permissions of [table.select, table.insert, table.update, table.delete]) {
        for (const role of permissions.keys()) roles.add(role);
      }
    }
    for (const { function: tracked } of functions.values()) for (const { role } of tracked.permissions) roles.add(role);
    for (const { select } of logicalModels.values()) for (const role of select.keys()) roles.add(role);
    for (const { model } of nativeQueries.values()) for (const role of model.select.keys()) roles.add(role);
  }
  roles.delete("admin");
  return [...roles].sort();
}
