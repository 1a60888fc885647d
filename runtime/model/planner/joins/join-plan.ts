/**
 * Joins of values from other sources and remote schemas. Instead of each joined value, the left side returns its keys:
 * one key as a JSON value, several keys as an object with `k1`, `k2`, …. The keys of all rows are collected, the values of
 * distinct keys are read, and the values replace the keys.
 */
import type { ParameterSlot } from "../../definitions/parameters.ts";
import type { RemoteServer } from "../../definitions/remote/remote-server.ts";
import type { SelectedRemoteJoin } from "../request/remote/join-request.ts";

/** Locations of join keys in a JSON value, by response key. Lists are traversed, including nested lists. */
export type JoinPlaces = ReadonlyMap<string, JoinPlace>;

export type JoinPlace =
  | { readonly kind: "below"; readonly places: JoinPlaces }
  /** Keys, replaced by the values of a place of a step. */
  | (StepNumber & { readonly kind: "keys" })
  | TypedKeys
  /** A member that contains a key and is removed from the response. */
  | { readonly kind: "hidden" };

/** A place of a step: its values have their own list of keys. */
export interface StepNumber {
  readonly step: number;
  readonly place: number;
}

/**
 * A joined member of a remote object: the value is the object's upstream type name, which determines the join. `members`
 * name the hidden members that contain the keys.
 */
export interface TypedKeys {
  readonly kind: "typed";
  readonly types: ReadonlyMap<string, StepNumber & { readonly members: readonly string[] }>;
}

/**
 * A statement or request that runs when its keys are known. All keys have one origin: a statement, a request, a call, or
 * an earlier step. A step starts when its origin has completed; steps of one origin run concurrently.
 */
export type JoinStep = SourceStep | RemoteStep;

/** Values that replace keys. If one of the keys is null, the value is null and is not read. */
export interface StepPlace {
  /** Number of keys that identify one value. */
  readonly keys: number;
  /** Path of the field in the request. */
  readonly path: string;
  /** Joins to the values, if any. */
  readonly joins?: JoinPlaces;
}

/**
 * A statement for all keys of a level. It returns a row for each place: the place's number, and the JSON of its values
 * as one text, each value with the position of its keys.
 */
export interface SourceStep {
  readonly kind: "source";
  readonly source: string;
  readonly text: string;
  readonly slots: readonly ParameterSlot[];
  readonly places: readonly StepPlace[];
}

/** Upstream requests for all keys of a level: one field for each key, in as few requests as possible. */
export interface RemoteStep {
  readonly kind: "remote";
  readonly server: RemoteServer;
  readonly places: readonly RemotePlace[];
}

export interface RemotePlace extends StepPlace {
  readonly request: SelectedRemoteJoin;
}
