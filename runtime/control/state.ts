/** What the control plane serves, and what a request is about to make of it. */
import type { Analysis } from "../../compiler/2-analyze/analysis.ts";
import type { Catalog } from "../../compiler/catalog/model.ts";
import type { Effect } from "../../compiler/metadata/operation.ts";
import type { Introspections } from "./source-registry.ts";

/** One version of the metadata with everything that was derived from it. Immutable. */
export interface State {
  readonly catalog: Catalog;
  readonly analysis: Analysis;
  readonly introspections: Introspections;
  readonly resourceVersion: number;
}

/** The state that a request works on: the items of a bulk change it one after another, all or nothing. */
export interface Draft {
  catalog: Catalog;
  analysis: Analysis;
  introspections: Introspections;
  /** Something changed: the draft has to be stored. */
  modified: boolean;
  readonly effects: Effect[];
}

export function draftOf({ catalog, analysis, introspections }: State): Draft {
  return { catalog, analysis, introspections, modified: false, effects: [] };
}
