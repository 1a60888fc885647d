/** Interface to the types of a remote schema, independent of how they are built. */
import type { RemoteRoot } from "../definitions/roots.ts";
import type { AbstractTypeDef, InputTypeDef, ObjectTypeDef, OutputField } from "./types.ts";

export type RemoteOperation = "query" | "mutation" | "subscription";

export type NamedField = readonly [name: string, field: OutputField];

export interface RemoteTypes {
  /** Returns a field of an operation's root type. */
  rootField(operation: RemoteOperation, name: string, root: RemoteRoot): OutputField;
  /** Returns an operation's root type, for remote schemas with a namespace. */
  namespace(operation: RemoteOperation, root: RemoteRoot): ObjectTypeDef;
  /** Returns a field of an object or interface type by its upstream name. */
  upstreamField(type: string, name: string): NamedField | undefined;
  /** Returns the object, interface or union type with this name in the role's schema. */
  composite(name: string): ObjectTypeDef | AbstractTypeDef | undefined;
  /** Returns the input type with this name in the role's schema. */
  input(name: string): InputTypeDef | undefined;
}
