/** The parts of the Analysis behind what a role may ask of remote servers. */
import type { AnalyzedRemoteSchema, RemotePreset } from "../2-analyze/analysis.ts";
import { remoteRootFields } from "../2-analyze/rules/remote-names.ts";
import type { RemoteRootTypes, RemoteType } from "../shape/remote-shape.ts";
import { remoteAccess } from "./remote-access.ts";
import {
  hasOwnModule,
  type RemoteRelationshipInputs,
  type RemoteRelationshipParts,
  remoteRelationshipsOfSchema,
} from "./remote-relationship-inputs.ts";

/** The root fields of a role that a remote server answers. */
export interface RemoteRootInputs {
  readonly remote: string;
  /** The role has a module of its own for it: it uses a part of it, or joins to its objects. */
  readonly isOwn: boolean;
  /** They are one field, which holds all. */
  readonly isNamespace: boolean;
  readonly query: readonly string[];
  readonly mutation: readonly string[];
  readonly subscription: readonly string[];
}

export function remoteRootInputs(analysis: RemoteRelationshipParts, role: string | null): readonly RemoteRootInputs[] {
  return [...analysis.remoteSchemas.values()].flatMap((remote): RemoteRootInputs[] => {
    const access = remoteAccess(remote, role, analysis);
    if (access === undefined || remote.shape === undefined) return [];
    const { names, schema } = remote;
    const shape = access === "all" ? remote.shape : access;
    return [
      {
        remote: schema.name,
        isOwn: hasOwnModule(analysis, remote, role),
        isNamespace: names.namespace !== undefined,
        query: remoteRootFields(shape, names, "query"),
        mutation: remoteRootFields(shape, names, "mutation"),
        subscription: remoteRootFields(shape, names, "subscription"),
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
  readonly subscription?: string;
  readonly types: readonly RemoteType[];
  /** `null`: it is no part, but the whole. */
  readonly presets: readonly RemotePreset[] | null;
  readonly names: {
    readonly types: readonly (readonly [string, string])[];
    readonly fields: readonly (readonly [string, readonly (readonly [string, string])[]])[];
  };
  /** What the role joins to objects, by the server's names of their types. */
  readonly relationships: readonly TypeRelationships[];
}

interface TypeRelationships {
  readonly type: string;
  readonly relationships: readonly RemoteRelationshipInputs[];
}

/** What one role joins to objects of a remote schema that it uses as a whole. */
export interface RemoteJoinsInputs {
  readonly role: string;
  readonly name: string;
  readonly typeNames: readonly (readonly [string, string])[];
  readonly relationships: readonly TypeRelationships[];
}

/** The remote schemas of which a role uses a part. */
export function remotePartInputs(analysis: RemoteRelationshipParts, role: string): readonly RemoteSchemaInputs[] {
  return [...analysis.remoteSchemas.values()].flatMap((remote): RemoteSchemaInputs[] => {
    const access = remoteAccess(remote, role, analysis);
    if (access === undefined || access === "all") return [];
    const relationships = remoteRelationshipsOfSchema(analysis, remote, role);
    return [inputsOf(remote, role, access, { presets: access.presets, relationships })];
  });
}

/** The remote schemas that a role uses as a whole, and joins something to. */
export function remoteJoinsInputs(analysis: RemoteRelationshipParts, role: string): readonly RemoteJoinsInputs[] {
  return [...analysis.remoteSchemas.values()].flatMap((remote): RemoteJoinsInputs[] => {
    if (remoteAccess(remote, role, analysis) !== "all") return [];
    const relationships = remoteRelationshipsOfSchema(analysis, remote, role);
    if (relationships.length === 0) return [];
    return [{ role, name: remote.schema.name, typeNames: [...remote.names.types], relationships }];
  });
}

/** A remote schema as its server offers it; `undefined`: nobody asked the server. */
export function remoteWholeInputs(remote: AnalyzedRemoteSchema): RemoteSchemaInputs | undefined {
  return remote.shape && inputsOf(remote, null, remote.shape, { presets: null, relationships: [] });
}

function inputsOf(
  { schema: { name }, names }: AnalyzedRemoteSchema,
  role: string | null,
  { query, mutation, subscription, types }: RemoteRootTypes,
  more: Pick<RemoteSchemaInputs, "presets" | "relationships">,
): RemoteSchemaInputs {
  const fields = Array.from(names.fields, ([type, own]) => [type, [...own]] as const);
  return {
    role,
    name,
    query,
    ...(mutation !== undefined && { mutation }),
    ...(subscription !== undefined && { subscription }),
    types: [...types.values()],
    ...more,
    names: { types: [...names.types], fields },
  };
}
