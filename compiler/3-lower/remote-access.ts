/** How much of a remote schema a role may use. */
import type { Analysis, AnalyzedRemoteSchema, RemoteRoleShape } from "../2-analyze/analysis.ts";
import { remotePermission } from "../2-analyze/inherited-permissions.ts";
import { adminRole } from "./admin-role.ts";

/** `"all"`: as the server offers it. */
export type RemoteAccess = RemoteRoleShape | "all";

export type RemoteRoots = Pick<Analysis, "remoteSchemas" | "inheritedRoles" | "inheritedClashes" | "options">;

/** What a role may use of a remote schema; `undefined`: nothing. A server that nobody asked offers nothing. */
export function remoteAccess(
  remote: AnalyzedRemoteSchema,
  role: string | null,
  { inheritedRoles, inheritedClashes, options }: Omit<RemoteRoots, "remoteSchemas">,
): RemoteAccess | undefined {
  if (remote.shape === undefined) return undefined;
  if (!options.remoteSchemaPermissions || role === adminRole) return "all";
  if (role === null || inheritedClashes.get(role)?.has(remote.schema.name)) return undefined;
  const permission = remotePermission(remote, role, inheritedRoles);
  return permission === "conflict" ? undefined : permission?.shape;
}
