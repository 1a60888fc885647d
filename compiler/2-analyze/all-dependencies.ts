/** The dependencies of everything that was analysed (`metadata-api.md` 4.6). */
import type { InheritedRole } from "../catalog/outside-sources.ts";
import type { AnalyzedRemoteSchema, AnalyzedSource } from "./analysis.ts";
import type { Dependency } from "./dependency.ts";
import { DependencyIndex } from "./dependency-index.ts";
import { type ObjectId, objectKey } from "./object-id.ts";
import type { RemoteRelationships } from "./remote-relationships.ts";

interface Analyzed {
  readonly sources: ReadonlyMap<string, AnalyzedSource>;
  readonly remote: RemoteRelationships;
  readonly remoteSchemas: ReadonlyMap<string, AnalyzedRemoteSchema>;
  readonly inheritedRoles: ReadonlyMap<string, InheritedRole>;
}

export function allDependencies({ sources, remote, remoteSchemas, inheritedRoles }: Analyzed): DependencyIndex {
  /** Of what no table owns. */
  const dependencies = new Map<string, readonly Dependency[]>();
  const add = (object: ObjectId, on: readonly ObjectId[]) =>
    dependencies.set(
      objectKey(object),
      on.map((each) => ({ object, on: each })),
    );
  for (const { name: source, tables, functions, nativeDependencies } of sources.values()) {
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
  const groups = [...sources.values()].flatMap(({ tables }) => tables.groups);
  return new DependencyIndex(groups, dependencies);
}
