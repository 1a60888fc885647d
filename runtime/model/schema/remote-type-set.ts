/** What the types of a schema know of those that a remote server brings, however these are made. */
import type { RemoteRoot } from "../definitions/roots.ts";
import type { AbstractTypeDef, InputTypeDef, ObjectTypeDef, OutputField } from "./types.ts";

export type RemoteOperation = "query" | "mutation" | "subscription";

export type NamedField = readonly [name: string, field: OutputField];

/** The types of a remote server as a role sees them. */
export interface RemoteTypes {
  /** A field of the type that operations begin with. */
  rootField(operation: RemoteOperation, name: string, root: RemoteRoot): OutputField;
  /** The type that operations begin with, where its fields stand below a field of their own. */
  namespace(operation: RemoteOperation, root: RemoteRoot): ObjectTypeDef;
  /** A field of an object type or interface by the name that the server has for it. */
  upstreamField(type: string, name: string): NamedField | undefined;
  /** The type that the role knows by this name, where it has fields or stands for types that have. */
  composite(name: string): ObjectTypeDef | AbstractTypeDef | undefined;
  /** The type that the role knows by this name, where values of it can be given. */
  input(name: string): InputTypeDef | undefined;
}
