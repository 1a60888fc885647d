/** What is asked of a remote server beside rows and objects: one call for each of their keys. */
import type { RemoteSchema } from "../../../definitions/remote/remote-schema.ts";
import type { RemoteBatch, ToRemoteSchema } from "../../../definitions/remote-relationship.ts";
import type { RemoteField, RemoteVariable, TypenamePlaces } from "./remote-request.ts";

/** A value of an argument: GraphQL text, but for what depends on keys or on values of variables. */
export type JoinedArgument =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "key"; readonly key: number }
  /** The same for each of many keys. */
  | { readonly kind: "keys"; readonly item: JoinedArgument }
  | { readonly kind: "list"; readonly items: readonly JoinedArgument[] }
  | { readonly kind: "object"; readonly fields: readonly (readonly [name: string, value: JoinedArgument])[] }
  | PartlyGiven;

/** An input object that a variable gives in part, and the definition of the relationship the rest of. */
export interface PartlyGiven {
  readonly kind: "variable";
  readonly name: string;
  /** Where in the arguments of the definition it stands, by names. */
  readonly within: readonly string[];
  /** What is left of it, as the role calls the type. */
  readonly type: string;
  /** Of the place where the variable stands. */
  readonly path: string;
  /** What stands in where there is no value; absent: what the definition gives. */
  readonly standard?: JoinedArgument;
  /**
   * @param value of the variable; `undefined`: there is none
   * @throws EngineError `validation-failed`
   */
  readonly read: (value: unknown, session: ReadonlyMap<string, string>) => JoinedArgument;
}

/** The field of the query root to the one that is asked for, in the server's names. */
export interface JoinedCall {
  readonly path: readonly JoinedPathField[];
  /** What is selected of the last field; `null`: it has no fields. */
  readonly selection: RemoteField["selection"];
  /** The type that it is selected on, as the server calls it. */
  readonly type: string;
  readonly typenames?: TypenamePlaces;
  /** One call is for all keys. */
  readonly batch?: JoinedBatch;
}

export interface JoinedBatch extends Pick<RemoteBatch, "relationship"> {
  /** Members of the items that hold the keys, in their order, and are left out; absent: items have the order of keys. */
  readonly members?: readonly string[];
}

export interface JoinedPathField {
  readonly name: string;
  readonly args: readonly (readonly [name: string, value: JoinedArgument])[];
}

/** A field beside a row or object that a remote server answers. */
export interface SelectedRemoteJoin {
  readonly join: ToRemoteSchema;
  readonly remote: RemoteSchema;
  readonly call: JoinedCall;
  /** By name. */
  readonly variables: ReadonlyMap<string, RemoteVariable>;
}
