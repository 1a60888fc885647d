/** Selections of a request, independent of the language (GraphQL or JSON) of the request. */
import type { FieldNode } from "graphql";
import type { Outputs } from "../../definitions/actions/output.ts";
import type { RelayTexts } from "../../relay/relay-texts.ts";
import type { OutputMeta } from "../../schema/types.ts";
import type { ActionCall } from "./action/select.ts";
import type { Input } from "./input.ts";
import type { SelectedRemoteJoin } from "./remote/join-request.ts";
import type { SelectedRemote } from "./remote/remote-request.ts";

/** Selected rows with the fields selected of each row. */
export interface SelectedRows {
  /** Arguments by name in the role's schema. */
  readonly args: ReadonlyMap<string, Input>;
  /** Empty for scalars and for objects whose type is known only from the value. */
  readonly selection: readonly SelectedField[];
  /** Path in the request. */
  readonly path: string;
}

/** One field of the response. */
export interface SelectedField extends SelectedRows {
  /** Response key. */
  readonly key: string;
  readonly meta: SelectedMeta;
  /** Returns the selection for objects of a type, if the field has several types. */
  readonly selectionOn?: (type: string) => readonly SelectedField[];
  /** Object type of an action's output. */
  readonly typeName?: string;
  /** Set for connections. */
  readonly cursors?: RelayTexts;
}

/** Meaning of a field in the role's schema. */
export type SelectedMeta =
  | OutputMeta
  /** `__schema` and `__type`, resolved from the printed schema. */
  | { readonly kind: "introspection"; readonly nodes: readonly FieldNode[] }
  /** Resolved by a remote schema. */
  | (Joined & { readonly kind: "remote_request"; readonly request: SelectedRemote })
  /** Resolved by a remote schema and joined to a row or object. */
  | (Joined & { readonly kind: "remote_join_request"; readonly request: SelectedRemoteJoin })
  /** Resolved by an action handler. */
  | { readonly kind: "action_call"; readonly call: ActionCall; readonly outputs: Outputs };

interface Joined {
  /** Joins to the value, if any. */
  readonly joins?: SelectedPlaces;
}

/** Joins to a remote schema's value, by response key. */
export type SelectedPlaces = ReadonlyMap<string, SelectedPlace>;

export type SelectedPlace =
  | { readonly kind: "below"; readonly places: SelectedPlaces }
  | { readonly kind: "hidden" }
  /** Joins by the object's upstream type name. */
  | { readonly kind: "typed"; readonly types: ReadonlyMap<string, SelectedJoin> };

export interface SelectedJoin {
  readonly field: SelectedField;
  /** Response keys of the members that contain the join keys. */
  readonly members: readonly string[];
}
