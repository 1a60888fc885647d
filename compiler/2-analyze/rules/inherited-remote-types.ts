/**
 * Types of remote schemas in the schemas of inherited roles (`docs/remote-schemas.md`): each parent has a part of
 * another server
 * that goes with the rest of its own schema, and together these parts may mean different things by one name.
 */
import type { Catalog } from "../../catalog/catalog.ts";
import type { Analysis, AnalyzedRemoteSchema } from "../analysis.ts";
import { remotePermission } from "../inherited-permissions.ts";
import { Rejection } from "../rejection.ts";
import { RoleTypes } from "./remote-conflicts.ts";

type Parts = Pick<Analysis, "inheritedRoles"> & {
  readonly remoteSchemas: ReadonlyMap<string, AnalyzedRemoteSchema>;
};

/** Why inherited roles do not get a remote schema, by role and remote schema: an earlier one has a type of the name. */
export function inheritedTypeClashes(
  { remote_schemas }: Pick<Catalog, "remote_schemas">,
  { inheritedRoles, remoteSchemas }: Parts,
): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const found = new Map<string, ReadonlyMap<string, string>>();
  const withDocuments = remote_schemas.flatMap(({ name }) => {
    const remote = remoteSchemas.get(name);
    return remote === undefined || remote.permissions.size === 0 ? [] : remote;
  });
  // One server does not clash with itself.
  if (withDocuments.length < 2) return found;
  const types = new RoleTypes();
  for (const role of inheritedRoles.keys()) {
    const clashes = new Map<string, string>();
    for (const remote of withDocuments) {
      const part = remotePermission(remote, role, inheritedRoles);
      if (part === undefined || part === "conflict") continue;
      const reason = reasonAgainst(() => types.take(role, part.shape, remote.names));
      if (reason !== undefined) clashes.set(remote.schema.name, reason);
    }
    if (clashes.size > 0) found.set(role, clashes);
  }
  return found;
}

function reasonAgainst(take: () => void): string | undefined {
  try {
    take();
    return undefined;
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    return error.message;
  }
}
