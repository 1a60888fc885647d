/** The dependencies of everything that was analysed, in one map by the `objectKey` of the one that needs (`metadata-api.md` 4.6). */
import type { InheritedRole } from "../catalog/outside-sources.ts";
import type { Analysis, AnalyzedRemoteSchema, AnalyzedSource } from "./analysis.ts";
import type { Dependency } from "./dependency.ts";
import { type ObjectId, objectKey } from "./object-id.ts";
import type { RemoteRelationships } from "./remote-relationships.ts";

interface Analyzed {
  readonly sources: ReadonlyMap<string, AnalyzedSource>;
  readonly remote: RemoteRelationships;
  readonly remoteSchemas: ReadonlyMap<string, AnalyzedRemoteSchema>;
  readonly inheritedRoles: ReadonlyMap<string, InheritedRole>;
}

export function allDependencies({
  sources,
  remote,
  remoteSchemas,
  inheritedRoles,
}: Analyzed): Analysis["dependencies"] {
  const dependencies = new Map<string, readonly Dependency[]>();
  const add = (object: ObjectId, on: readonly ObjectId[]) =>
    dependencies.set(
      objectKey(object),
      on.map((each) => ({ object, on: each })),
    );
  for (const { name: source, tables, functions, nativeDependencies } of sources.values()) {
    for (const table of tables.values()) for (const [key, own] of table.dependencies) dependencies.set(key, own);
    for (const { function: tracked, target } of functions.values()) {
      const table = tables.get(target)?.table.table;
      const id: ObjectId = { kind: "function", source, function: tracked.function };
      if (table !== undefined) add(id, [{ kind: "table", source, table }]);
    }
    for (const [key, own] of nativeDependencies) dependencies.set(key, own);
  }
  for (const [key, own] of remote.dependencies) dependencies.set(key, own);
  for (const { schema } of remoteSchemas.values()) {
    const { name, permissions } = schema;
    for (const { role } of permissions) {
      add({ kind: "remote_schema_permission", name, role }, [{ kind: "remote_schema", name }]);
    }
  }
  for (const { role_name, role_set } of inheritedRoles.values()) {
    add(
      { kind: "inherited_role", role: role_name },
      role_set.map((role) => ({ kind: "inherited_role", role })),
    );
  }
  return dependencies;
}
