/** Schema of a remote GraphQL server, as introspected. */
import type { JsonObject } from "../catalog/model.ts";

export type RemoteTypeRef =
  | { readonly kind: "named"; readonly name: string }
  | { readonly kind: "list" | "non_null"; readonly of: RemoteTypeRef };

export interface RemoteInput {
  readonly name: string;
  readonly type: RemoteTypeRef;
  /** A literal in GraphQL syntax. */
  readonly defaultValue?: string;
  readonly description?: string;
}

export interface RemoteField {
  readonly name: string;
  readonly type: RemoteTypeRef;
  readonly arguments: readonly RemoteInput[];
  readonly description?: string;
  /** Deprecation reason; absent if the field is not deprecated. */
  readonly deprecation?: string;
}

export interface RemoteEnumValue {
  readonly name: string;
  readonly description?: string;
  readonly deprecation?: string;
}

export type RemoteType = { readonly name: string; readonly description?: string } & (
  | { readonly kind: "scalar" }
  | { readonly kind: "object"; readonly fields: readonly RemoteField[]; readonly interfaces: readonly string[] }
  | { readonly kind: "interface"; readonly fields: readonly RemoteField[]; readonly interfaces: readonly string[] }
  | { readonly kind: "union"; readonly members: readonly string[] }
  | { readonly kind: "enum"; readonly values: readonly RemoteEnumValue[] }
  | {
      readonly kind: "input_object";
      readonly fields: readonly RemoteInput[];
      /** Present for types with `@oneOf`, whose values have exactly one field. */
      readonly isOneOf?: true;
    }
);

export interface RemoteShape {
  /** Names of the root types. */
  readonly query: string;
  readonly mutation?: string;
  /** Kept in the analysis only if the metadata enables subscriptions. */
  readonly subscription?: string;
  /** By name, without introspection types. */
  readonly types: ReadonlyMap<string, RemoteType>;
  /** `__schema` of the introspection response. */
  readonly introspection: JsonObject;
}

/** Operation types with a root type. */
export const remoteRoots = ["query", "mutation", "subscription"] as const;

export type RemoteRoot = (typeof remoteRoots)[number];

/** The root types, and all types by name. */
export type RemoteRootTypes = Pick<RemoteShape, RemoteRoot | "types">;

/**
 * Result of introspecting a remote server. `staleShape` is the shape of the last successful introspection, and is used
 * until the next one.
 */
export type RemoteIntrospection =
  | { readonly shape: RemoteShape }
  | { readonly error: { readonly message: string; readonly internal?: unknown }; readonly staleShape?: RemoteShape };

/** Prints a type reference in SDL notation: `[String!]!`. */
export function printRemoteType(type: RemoteTypeRef): string {
  switch (type.kind) {
    case "named":
      return type.name;
    case "list":
      return `[${printRemoteType(type.of)}]`;
    case "non_null":
      return `${printRemoteType(type.of)}!`;
  }
}

/** Returns the named type, without list and non-null wrappers. */
export function namedRemoteType(type: RemoteTypeRef): string {
  return type.kind === "named" ? type.name : namedRemoteType(type.of);
}

/** Built-in scalars of GraphQL. */
export const builtInScalars: ReadonlySet<string> = new Set(["Int", "Float", "String", "Boolean", "ID"]);
