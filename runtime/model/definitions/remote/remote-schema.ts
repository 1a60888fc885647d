/** What a role may ask of a remote server: its types, how they are called there, and the values that are preset. */
import { parse } from "graphql";
import { lazy } from "../../../values/lazy.ts";
import type { RemotePreset, RemotePresets, RemoteSchema, RemoteSchemaParts } from "../reachable.ts";
import type { RemoteServer } from "./remote-server.ts";

export type { RemotePreset, RemotePresets, RemoteSchema, RemoteSchemaParts } from "../reachable.ts";

export function remoteSchema(server: RemoteServer, parts: RemoteSchemaParts): RemoteSchema {
  return { ...parts, server, document: lazy(() => parse(parts.types, { noLocation: true })) };
}

/** The same server and types, with what one role may join to them. */
export function withRelationships(
  remote: RemoteSchema,
  relationships: NonNullable<RemoteSchemaParts["relationships"]>,
): RemoteSchema {
  return { ...remote, relationships };
}

/** A value that the permission fixes. @param text as GraphQL writes it */
export function presetLiteral(text: string): RemotePreset {
  return { kind: "literal", text };
}

/** An input object all of whose fields the permission fixes. */
export function presetObject(fields: RemotePresets): RemotePreset {
  return { kind: "object", fields };
}

/** The value of a session variable. @param type of the argument or input field, as the server calls it */
export function presetSession(variable: string, type: string): RemotePreset {
  return { kind: "session", variable, type };
}

/** The name that the server has for a type. */
export function upstreamType({ typeNames }: RemoteSchemaParts, type: string): string {
  return own(typeNames, type) ?? type;
}

/** The name that the role uses for a type of the server. */
export function ownType({ typeNames = {} }: RemoteSchemaParts, upstream: string): string {
  return Object.entries(typeNames).find(([, name]) => name === upstream)?.[0] ?? upstream;
}

/** The name that the server has for a field. */
export function upstreamField({ fieldNames }: RemoteSchemaParts, type: string, field: string): string {
  const fields = own(fieldNames, type);
  return own(fields, field) ?? field;
}

/** The presets among the arguments of a field. */
export function argumentPresetsOf({ argumentPresets }: RemoteSchemaParts, type: string, field: string): RemotePresets {
  return own(own(argumentPresets, type), field) ?? {};
}

/** The presets among the fields of an input object. */
export function inputPresetsOf({ inputPresets }: RemoteSchemaParts, type: string): RemotePresets {
  return own(inputPresets, type) ?? {};
}

function own<T>(record: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return record && Object.hasOwn(record, key) ? record[key] : undefined;
}
