/** The parts of the Analysis that the remote schema modules of a role depend on. */
import type { AnalyzedRemoteSchema, RemotePreset } from "../2-analyze/analysis.ts";
import { remoteRootFields } from "../2-analyze/rules/remote-names.ts";
import type { RemoteRootTypes, RemoteType } from "../shape/remote-shape.ts";
import {
  hasOwnModule,
  type RemoteRelationshipInputs,
  type RemoteRelationshipParts,
  remoteAccess,
  remoteRelationshipsOfSchema,
} from "./remote-relationship-inputs.ts";

/** The root fields of a role that a remote schema serves. */
export interface RemoteRootInputs {
  readonly remote: string;
  /** True if the role has its own module: it sees a part of the schema, or has relationships from its types. */
  readonly isOwn: boolean;
  /** True if all root fields are below one namespace field. */
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

/** The inputs of a remote schema's module: plain data without maps, so that it can be compared. */
export interface RemoteSchemaInputs {
  /** `null` for the module shared by all roles that see the complete schema. */
  readonly role: string | null;
  readonly name: string;
  readonly query: string;
  readonly mutation?: string;
  readonly subscription?: string;
  readonly types: readonly RemoteType[];
  /** `null` for the complete schema. */
  readonly presets: readonly RemotePreset[] | null;
  readonly names: {
    readonly types: readonly (readonly [string, string])[];
    readonly fields: readonly (readonly [string, readonly (readonly [string, string])[]])[];
  };
  /** Remote relationships of the role, by upstream type name. */
  readonly relationships: readonly TypeRelationships[];
}

interface TypeRelationships {
  readonly type: string;
  readonly relationships: readonly RemoteRelationshipInputs[];
}

/** Remote relationships of a role from the types of a remote schema that it sees completely. */
export interface RemoteJoinsInputs {
  readonly role: string;
  readonly name: string;
  readonly typeNames: readonly (readonly [string, string])[];
  readonly relationships: readonly TypeRelationships[];
}

/** Returns the remote schemas that are visible to a role, at least in part. */
export function remotePartInputs(analysis: RemoteRelationshipParts, role: string): readonly RemoteSchemaInputs[] {
  return [...analysis.remoteSchemas.values()].flatMap((remote): RemoteSchemaInputs[] => {
    const access = remoteAccess(remote, role, analysis);
    if (access === undefined || access === "all") return [];
    const relationships = remoteRelationshipsOfSchema(analysis, remote, role);
    return [inputsOf(remote, role, access, { presets: access.presets, relationships })];
  });
}

/** Returns the remote schemas that a role sees completely and has relationships from. */
export function remoteJoinsInputs(analysis: RemoteRelationshipParts, role: string): readonly RemoteJoinsInputs[] {
  return [...analysis.remoteSchemas.values()].flatMap((remote): RemoteJoinsInputs[] => {
    if (remoteAccess(remote, role, analysis) !== "all") return [];
    const relationships = remoteRelationshipsOfSchema(analysis, remote, role);
    if (relationships.length === 0) return [];
    return [{ role, name: remote.schema.name, typeNames: [...remote.names.types], relationships }];
  });
}

/** Returns the complete schema; `undefined` before the remote schema is introspected. */
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
