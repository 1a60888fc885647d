/** Roles named in the metadata. `admin` is never listed: it needs no permission. */

import type { Catalog } from "../catalog/catalog.ts";
import type { Table } from "../catalog/model.ts";
import type { Action } from "../catalog/outside-sources.ts";
import type { AnalyzedRemoteSchema, AnalyzedSource } from "./analysis.ts";
import { rolesOfGroup } from "./table-map.ts";

/** Returns every role named by a permission of the metadata, consistent or not. */
export function declaredRoles({ sources, actions, remote_schemas }: Catalog): ReadonlySet<string> {
  const roles = new Set<string>();
  const add = (permissions: readonly { readonly role: string }[]) => {
    for (const { role } of permissions) roles.add(role);
  };
  for (const { tables, functions, logical_models, native_queries } of sources) {
    for (const table of tables) for (const role of rolesDeclaredOn(table)) roles.add(role);
    for (const { permissions } of functions) add(permissions);
    for (const { select_permissions } of logical_models) add(select_permissions);
    for (const { returns } of native_queries) if (typeof returns !== "string") add(returns.select_permissions);
  }
  for (const { permissions } of [...actions, ...remote_schemas]) add(permissions);
  return roles;
}

const declaredOn = new WeakMap<Table, ReadonlySet<string>>();

function rolesDeclaredOn(table: Table): ReadonlySet<string> {
  let roles = declaredOn.get(table);
  if (roles === undefined) {
    const { select_permissions, insert_permissions, update_permissions, delete_permissions } = table;
    const permissions = [...select_permissions, ...insert_permissions, ...update_permissions, ...delete_permissions];
    roles = new Set(permissions.map(({ role }) => role));
    declaredOn.set(table, roles);
  }
  return roles;
}

interface Consistent {
  readonly sources: ReadonlyMap<string, AnalyzedSource>;
  readonly actions: ReadonlyMap<string, Action>;
  readonly remoteSchemas: ReadonlyMap<string, AnalyzedRemoteSchema>;
}

/** Returns every role named by a consistent permission. */
export function permittedRoles({ sources, actions, remoteSchemas }: Consistent): ReadonlySet<string> {
  const roles = new Set<string>();
  for (const { permissions } of [...actions.values(), ...Array.from(remoteSchemas.values(), ({ schema }) => schema)]) {
    for (const { role } of permissions) roles.add(role);
  }
  for (const { tables, functions, logicalModels, nativeQueries } of sources.values()) {
    for (const group of tables.groups) for (const role of rolesOfGroup(group)) roles.add(role);
    for (const { function: tracked } of functions.values()) for (const { role } of tracked.permissions) roles.add(role);
    for (const { select } of logicalModels.values()) for (const role of select.keys()) roles.add(role);
    for (const { model } of nativeQueries.values()) for (const role of model.select.keys()) roles.add(role);
  }
  return roles;
}

/** Returns every role named by a consistent object, sorted, without `admin`. */
export function consistentRoles(
  permitted: ReadonlySet<string>,
  inheritedRoles: ReadonlyMap<string, unknown>,
): readonly string[] {
  const roles = new Set([...permitted, ...inheritedRoles.keys()]);
  roles.delete("admin");
  return [...roles].sort();
}
