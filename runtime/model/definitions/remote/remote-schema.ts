/** A remote schema for a role: its types, their upstream names, and preset values. */
import { parse } from "graphql";
import { lazy } from "../../../values/lazy.ts";
import type { RemotePreset, RemotePresets, RemoteSchema, RemoteSchemaParts } from "../reachable.ts";
import type { RemoteServer } from "./remote-server.ts";

export type { RemotePreset, RemotePresets, RemoteSchema, RemoteSchemaParts } from "../reachable.ts";

export function remoteSchema(server: RemoteServer, parts: RemoteSchemaParts): RemoteSchema {
  return { ...parts, server, document: lazy(() => parse(parts.types, { noLocation: true })) };
}

export function withRelationships(
  remote: RemoteSchema,
  relationships: NonNullable<RemoteSchemaParts["relationships"]>,
): RemoteSchema {
  return { ...remote, relationships };
}

/**
 * Declares a preset literal.
 * @param text in GraphQL syntax
 */
export function presetLiteral(text: string): RemotePreset {
  return { kind: "literal", text };
}

/** Declares a preset input object, all of whose fields are preset. */
export function presetObject(fields: RemotePresets): RemotePreset {
  return { kind: "object", fields };
}

/**
 * Declares a preset session variable.
 * @param type upstream type of the argument or input field
 */
export function presetSession(variable: string, type: string): RemotePreset {
  return { kind: "session", variable, type };
}

/** Returns the upstream name of a type. */
export function upstreamType({ typeNames }: RemoteSchemaParts, type: string): string {
  return own(typeNames, type) ?? type;
}

/** Returns the name of an upstream type in the role's schema. */
export function ownType({ typeNames = {} }: RemoteSchemaParts, upstream: string): string {
  return Object.entries(typeNames).find(([, name]) => name === upstream)?.[0] ?? upstream;
}

/** Returns the upstream name of a field. */
export function upstreamField({ fieldNames }: RemoteSchemaParts, type: string, field: string): string {
  const fields = own(fieldNames, type);
  return own(fields, field) ?? field;
}

export function argumentPresetsOf({ argumentPresets }: RemoteSchemaParts, type: string, field: string): RemotePresets {
  return own(own(argumentPresets, type), field) ?? {};
}

/** Returns the preset fields of an input object. */
export function inputPresetsOf({ inputPresets }: RemoteSchemaParts, type: string): RemotePresets {
  return own(inputPresets, type) ?? {};
}

function own<T>(record: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return record && Object.hasOwn(record, key) ? record[key] : undefined;
}
