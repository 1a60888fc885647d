/** Remote fields joined to rows and objects: one call for each key. */
import type { RemoteSchema } from "../../../definitions/remote/remote-schema.ts";
import type { RemoteBatch, ToRemoteSchema } from "../../../definitions/remote-relationship.ts";
import type { RemoteField, RemoteVariable, TypenamePlaces } from "./remote-request.ts";

/** An argument's value: GraphQL text with parts that depend on keys or variables. */
export type JoinedArgument =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "key"; readonly key: number }
  /** A list with one item for each key. */
  | { readonly kind: "keys"; readonly item: JoinedArgument }
  | { readonly kind: "list"; readonly items: readonly JoinedArgument[] }
  | { readonly kind: "object"; readonly fields: readonly (readonly [name: string, value: JoinedArgument])[] }
  | PartlyGiven;

/** An input object that merges a variable with fields fixed by the relationship's definition. */
export interface PartlyGiven {
  readonly kind: "variable";
  readonly name: string;
  /** Path in the definition's arguments. */
  readonly within: readonly string[];
  /** Name of the type without fixed fields, in the role's schema. */
  readonly type: string;
  /** Request path of the variable. */
  readonly path: string;
  /** Default; absent if only the fixed fields apply. */
  readonly standard?: JoinedArgument;
  /**
   * Reads the value of the variable.
   * @param value value of the variable, or `undefined` if it is absent
   * @throws EngineError `validation-failed`
   */
  readonly read: (value: unknown, session: ReadonlyMap<string, string>) => JoinedArgument;
}

/** Fields from the query root to the joined field, by upstream name. */
export interface JoinedCall {
  readonly path: readonly JoinedPathField[];
  /** Selection of the last field; `null` for scalars and enums. */
  readonly selection: RemoteField["selection"];
  /** Upstream name of the selected type. */
  readonly type: string;
  readonly typenames?: TypenamePlaces;
  /** Set if one call serves all keys. */
  readonly batch?: JoinedBatch;
}

export interface JoinedBatch extends Pick<RemoteBatch, "relationship"> {
  /** Hidden members of the items that contain the keys, in key order; absent if items have the order of the keys. */
  readonly members?: readonly string[];
}

export interface JoinedPathField {
  readonly name: string;
  readonly args: readonly (readonly [name: string, value: JoinedArgument])[];
}

/** A remote field joined to a row or object. */
export interface SelectedRemoteJoin {
  readonly join: ToRemoteSchema;
  readonly remote: RemoteSchema;
  readonly call: JoinedCall;
  /** Variables by name. */
  readonly variables: ReadonlyMap<string, RemoteVariable>;
}
