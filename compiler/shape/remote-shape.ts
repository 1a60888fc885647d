/** What a remote GraphQL server offers, as its introspection says. */
import type { JsonObject } from "../catalog/model.ts";

export type RemoteTypeRef =
  | { readonly kind: "named"; readonly name: string }
  | { readonly kind: "list" | "non_null"; readonly of: RemoteTypeRef };

export interface RemoteInput {
  readonly name: string;
  readonly type: RemoteTypeRef;
  /** As GraphQL text. */
  readonly defaultValue?: string;
  readonly description?: string;
}

export interface RemoteField {
  readonly name: string;
  readonly type: RemoteTypeRef;
  readonly arguments: readonly RemoteInput[];
  readonly description?: string;
  /** Why it should not be used any more; absent: it may be. */
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
  | { readonly kind: "input_object"; readonly fields: readonly RemoteInput[] }
);

export interface RemoteShape {
  /** Names of the root types. */
  readonly query: string;
  readonly mutation?: string;
  /** In an Analysis only where the metadata asks for subscriptions. */
  readonly subscription?: string;
  /** By name, without the types of introspection itself. */
  readonly types: ReadonlyMap<string, RemoteType>;
  /** What the server answered: `__schema`. */
  readonly introspection: JsonObject;
}

/** The operations that a root type begins. */
export const remoteRoots = ["query", "mutation", "subscription"] as const;

export type RemoteRoot = (typeof remoteRoots)[number];

/** The root types, and all types by name. */
export type RemoteRootTypes = Pick<RemoteShape, RemoteRoot | "types">;

/** What asking a remote server gave. A Shape of an earlier answer serves while the server cannot be asked. */
export type RemoteIntrospection =
  | { readonly shape: RemoteShape }
  | { readonly error: { readonly message: string; readonly internal?: unknown }; readonly staleShape?: RemoteShape };

/** `[String!]!` */
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

/** The type without lists and non-null marks. */
export function namedRemoteType(type: RemoteTypeRef): string {
  return type.kind === "named" ? type.name : namedRemoteType(type.of);
}

/** The scalars that the language defines; every schema has them. */
export const builtInScalars: ReadonlySet<string> = new Set(["Int", "Float", "String", "Boolean", "ID"]);
