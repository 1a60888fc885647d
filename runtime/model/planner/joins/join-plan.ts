/**
 * How values of other sources and servers are joined to those of a request. Wherever one is selected, the left side
 * answers the keys in its place: one key as the JSON value that it is, several as an object of `k1`, `k2`, …. The keys of
 * all rows are gathered, each is asked for once, and what comes back replaces them.
 */
import type { ParameterSlot } from "../../definitions/parameters.ts";
import type { RemoteServer } from "../../definitions/remote/remote-server.ts";
import type { SelectedRemoteJoin } from "../request/remote/join-request.ts";

/** Where in the JSON of a value keys stand, by keys of the answer. Lists, and lists of lists, are gone through. */
export type JoinPlaces = ReadonlyMap<string, JoinPlace>;

export type JoinPlace =
  | { readonly kind: "below"; readonly places: JoinPlaces }
  /** What replaces the keys here: values of a place of a step of the plan. */
  | (StepNumber & { readonly kind: "keys" })
  | TypedKeys
  /** A member that holds a key; it is left out of the answer. */
  | { readonly kind: "hidden" };

/** A place of a step of the plan. */
export interface StepNumber {
  readonly step: number;
  readonly place: number;
}

/**
 * Of objects that a remote server answers: here stands the name that the server has for the type of the object; what is
 * joined depends on it. The keys stand in hidden members, which these name.
 */
export interface TypedKeys {
  readonly kind: "typed";
  readonly types: ReadonlyMap<string, StepNumber & { readonly members: readonly string[] }>;
}

/**
 * What is asked when the keys are known. All of them come from one origin: a statement, a request, a call, or a step
 * before. So a step begins when its origin has answered, and those of one origin run side by side.
 */
export type JoinStep = SourceStep | RemoteStep;

/** Values that replace keys. Where one of the keys is null, so is the value, and nobody is asked. */
export interface StepPlace {
  /** How many keys find one value. */
  readonly keys: number;
  /** Where in the request the field stands. */
  readonly path: string;
  /** In the values: what is joined to them in turn. */
  readonly joins?: JoinPlaces;
}

/**
 * A statement for all keys of a level. It has a row for each place: its number, and the JSON of its values as one text,
 * each with the position of the keys that it is for.
 */
export interface SourceStep {
  readonly kind: "source";
  readonly source: string;
  readonly text: string;
  readonly slots: readonly ParameterSlot[];
  readonly places: readonly StepPlace[];
}

/** What a remote server is asked for all keys of a level: one field for each, in as few requests as there can be. */
export interface RemoteStep {
  readonly kind: "remote";
  readonly server: RemoteServer;
  readonly places: readonly RemotePlace[];
}

export interface RemotePlace extends StepPlace {
  readonly request: SelectedRemoteJoin;
}
