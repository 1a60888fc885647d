/**
 * Checks types of remote schemas in the schemas of inherited roles (`docs/how-to/remote-schemas.md`). Each parent sees a part
 * of a remote schema that is valid in its own schema, but the union of the parts may define one name in different ways.
 */
import type { Catalog } from "../../catalog/catalog.ts";
import type { Analysis, AnalyzedRemoteSchema } from "../analysis.ts";
import { Conflict, remotePermission } from "../inherited-permissions.ts";
import { Rejection } from "../rejection.ts";
import { RoleTypes } from "./remote-conflicts.ts";

type Parts = Pick<Analysis, "inheritedRoles"> & {
  readonly remoteSchemas: ReadonlyMap<string, AnalyzedRemoteSchema>;
};

/**
 * Returns the reasons why inherited roles do not get a remote schema, by role and remote schema: an earlier remote
 * schema defines a type of the same name differently.
 */
export function inheritedTypeClashes(
  { remote_schemas }: Pick<Catalog, "remote_schemas">,
  { inheritedRoles, remoteSchemas }: Parts,
): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const found = new Map<string, ReadonlyMap<string, string>>();
  const withDocuments = remote_schemas.flatMap(({ name }) => {
    const remote = remoteSchemas.get(name);
    return remote === undefined || remote.permissions.size === 0 ? [] : remote;
  });
  // A single remote schema cannot clash.
  if (withDocuments.length < 2) return found;
  const types = new RoleTypes();
  for (const role of inheritedRoles.keys()) {
    const clashes = new Map<string, string>();
    for (const remote of withDocuments) {
      const part = remotePermission(remote, role, inheritedRoles);
      if (part === undefined || part instanceof Conflict) continue;
      const reason = rejectionOf(() => types.take(role, part.shape, remote.names));
      if (reason !== undefined) clashes.set(remote.schema.name, reason);
    }
    if (clashes.size > 0) found.set(role, clashes);
  }
  return found;
}

function rejectionOf(take: () => void): string | undefined {
  try {
    take();
    return undefined;
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    return error.message;
  }
}
