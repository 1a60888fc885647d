/** What a request selects, as the planner takes it: neither GraphQL nor JSON, but what readers of both make. */
import type { FieldNode } from "graphql";
import type { Outputs } from "../../definitions/actions/output.ts";
import type { RelayTexts } from "../../relay/relay-texts.ts";
import type { OutputMeta } from "../../schema/types.ts";
import type { ActionCall } from "./action/select.ts";
import type { Input } from "./input.ts";
import type { SelectedRemoteJoin } from "./remote/join-request.ts";
import type { SelectedRemote } from "./remote/remote-request.ts";

/** Which rows a request selects, and what of each. */
export interface SelectedRows {
  /** By their names in the schema of the role. */
  readonly args: ReadonlyMap<string, Input>;
  /** Empty for scalars, and where the object's type is not known before a value is looked at. */
  readonly selection: readonly SelectedField[];
  /** Where in the request it stands. */
  readonly path: string;
}

/** One field of the answer. */
export interface SelectedField extends SelectedRows {
  /** Its key in the answer. */
  readonly key: string;
  readonly meta: SelectedMeta;
  /** What is selected where the object is of the type with this name, of one of several types. */
  readonly selectionOn?: (type: string) => readonly SelectedField[];
  /** Of what a handler answers: the type of its objects. */
  readonly typeName?: string;
  /** Of a connection. */
  readonly cursors?: RelayTexts;
}

/** What a field means: what it does in the schema of the role. */
export type SelectedMeta =
  | OutputMeta
  /** `__schema`, `__type`: answered from the printed schema, by the document itself. */
  | { readonly kind: "introspection"; readonly nodes: readonly FieldNode[] }
  /** A remote server answers it. */
  | (Joined & { readonly kind: "remote_request"; readonly request: SelectedRemote })
  /** A remote server answers it beside a row or object. */
  | (Joined & { readonly kind: "remote_join_request"; readonly request: SelectedRemoteJoin })
  /** The handler of an action answers it. */
  | { readonly kind: "action_call"; readonly call: ActionCall; readonly outputs: Outputs };

interface Joined {
  /** To the value; absent: nothing. */
  readonly joins?: SelectedPlaces;
}

/** What is joined to the value of a field that a remote server answers, by keys of the answer. */
export type SelectedPlaces = ReadonlyMap<string, SelectedPlace>;

export type SelectedPlace =
  | { readonly kind: "below"; readonly places: SelectedPlaces }
  | { readonly kind: "hidden" }
  /** By the names that the server has for the types of the objects. */
  | { readonly kind: "typed"; readonly types: ReadonlyMap<string, SelectedJoin> };

export interface SelectedJoin {
  readonly field: SelectedField;
  /** Keys of the answer that hold the keys. */
  readonly members: readonly string[];
}
