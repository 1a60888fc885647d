/** The parts of the Analysis behind what a role may ask of remote servers. */
import type { Analysis, AnalyzedRemoteSchema, RemotePreset, RemoteRoleShape } from "../2-analyze/analysis.ts";
import { remotePermission } from "../2-analyze/inherited-permissions.ts";
import { remoteRootFields } from "../2-analyze/rules/remote-names.ts";
import type { RemoteShape, RemoteType } from "../shape/remote-shape.ts";
import { adminRole } from "./admin-role.ts";

/** `"all"`: as the server offers it. */
export type RemoteAccess = RemoteRoleShape | "all";

export type RemoteRoots = Pick<Analysis, "remoteSchemas" | "inheritedRoles" | "options">;

/** What a role may use of a remote schema; `undefined`: nothing. A server that nobody asked offers nothing. */
export function remoteAccess(
  remote: AnalyzedRemoteSchema,
  role: string | null,
  { inheritedRoles, options }: Pick<RemoteRoots, "inheritedRoles" | "options">,
): RemoteAccess | undefined {
  if (remote.shape === undefined) return undefined;
  if (!options.remoteSchemaPermissions || role === adminRole) return "all";
  if (role === null) return undefined;
  const permission = remotePermission(remote, role, inheritedRoles);
  return permission === "conflict" ? undefined : permission;
}

/** The root fields of a role that a remote server answers. */
export interface RemoteRootInputs {
  readonly remote: string;
  /** The role uses it as the server offers it. */
  readonly isWhole: boolean;
  /** They are one field, which holds all. */
  readonly isNamespace: boolean;
  readonly query: readonly string[];
  readonly mutation: readonly string[];
}

export function remoteRootInputs(analysis: RemoteRoots, role: string | null): readonly RemoteRootInputs[] {
  return [...analysis.remoteSchemas.values()].flatMap((remote): RemoteRootInputs[] => {
    const access = remoteAccess(remote, role, analysis);
    if (access === undefined || remote.shape === undefined) return [];
    const { names, schema } = remote;
    const shape = access === "all" ? remote.shape : access;
    return [
      {
        remote: schema.name,
        isWhole: access === "all",
        isNamespace: names.namespace !== undefined,
        query: remoteRootFields(shape, names, "query"),
        mutation: remoteRootFields(shape, names, "mutation"),
      },
    ];
  });
}

/** What the module of a remote schema is made from: plain data, without maps, so that it can be compared. */
export interface RemoteSchemaInputs {
  /** `null`: the module is that of all who use the whole. */
  readonly role: string | null;
  readonly name: string;
  readonly query: string;
  readonly mutation?: string;
  readonly types: readonly RemoteType[];
  /** `null`: it is no part, but the whole. */
  readonly presets: readonly RemotePreset[] | null;
  readonly names: {
    readonly types: readonly (readonly [string, string])[];
    readonly fields: readonly (readonly [string, readonly (readonly [string, string])[]])[];
  };
}

/** The remote schemas of which a role uses a part. */
export function remotePartInputs(analysis: RemoteRoots, role: string): readonly RemoteSchemaInputs[] {
  return [...analysis.remoteSchemas.values()].flatMap((remote): RemoteSchemaInputs[] => {
    const access = remoteAccess(remote, role, analysis);
    if (access === undefined || access === "all") return [];
    return [inputsOf(remote, role, access, access.presets)];
  });
}

/** A remote schema as its server offers it; `undefined`: nobody asked the server. */
export function remoteWholeInputs(remote: AnalyzedRemoteSchema): RemoteSchemaInputs | undefined {
  return remote.shape && inputsOf(remote, null, remote.shape, null);
}

function inputsOf(
  { schema: { name }, names }: AnalyzedRemoteSchema,
  role: string | null,
  { query, mutation, types }: Pick<RemoteShape, "query" | "mutation" | "types">,
  presets: readonly RemotePreset[] | null,
): RemoteSchemaInputs {
  const fields = Array.from(names.fields, ([type, own]) => [type, [...own]] as const);
  return {
    role,
    name,
    query,
    ...(mutation !== undefined && { mutation }),
    types: [...types.values()],
    presets,
    names: { types: [...names.types], fields },
  };
}
