/** What the control plane serves, and what a request is about to make of it. */
import { type Catalog, emptyCatalog } from "../../compiler/catalog/catalog.ts";
import type { Effect } from "../../compiler/metadata/operation.ts";
import type { Compiled } from "./compile-analysis.ts";
import type { Surroundings } from "./compile-state.ts";

/** One version of the metadata with everything that was derived from it. Immutable. */
export interface State extends Surroundings, Compiled {
  readonly catalog: Catalog;
  readonly resourceVersion: number;
}

/** The state that a request works on: the items of a bulk change it one after another, all or nothing. */
export interface Draft extends Mutable<Omit<State, "resourceVersion">> {
  /** Something changed: the draft has to be stored. */
  modified: boolean;
  readonly effects: Effect[];
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

export function draftOf({ resourceVersion: _, ...state }: State): Draft {
  return { ...state, modified: false, effects: [] };
}

/** The state that a draft becomes when it is stored. */
export function stateOf({ modified: _, effects: __, ...state }: Draft, resourceVersion: number): State {
  return { ...state, resourceVersion };
}

/** Returns the metadata of a first start: the source `default` where an option names its database. */
export function initialCatalog(hasDefaultSource: boolean): Catalog {
  if (!hasDefaultSource) return emptyCatalog;
  const configuration = { connection_info: { database_url: { from_env: "ENGINE_GRAPHQL_DATABASE_URL" } } };
  const lists = { tables: [], functions: [], native_queries: [], stored_procedures: [], logical_models: [] };
  return { ...emptyCatalog, sources: [{ name: "default", kind: "postgres", configuration, ...lists }] };
}
