/** What the control plane serves, and what a request is about to make of it. */
import type { Analysis } from "../../compiler/2-analyze/analysis.ts";
import type { Catalog } from "../../compiler/catalog/model.ts";
import type { Effect } from "../../compiler/metadata/operation.ts";
import type { Surroundings } from "./compile-state.ts";

/** One version of the metadata with everything that was derived from it. Immutable. */
export interface State extends Surroundings {
  readonly catalog: Catalog;
  readonly analysis: Analysis;
  readonly resourceVersion: number;
}

/** The state that a request works on: the items of a bulk change it one after another, all or nothing. */
export interface Draft {
  catalog: Catalog;
  analysis: Analysis;
  introspections: Surroundings["introspections"];
  remoteIntrospections: Surroundings["remoteIntrospections"];
  /** Something changed: the draft has to be stored. */
  modified: boolean;
  readonly effects: Effect[];
}

export function draftOf({ catalog, analysis, introspections, remoteIntrospections }: State): Draft {
  return { catalog, analysis, introspections, remoteIntrospections, modified: false, effects: [] };
}
