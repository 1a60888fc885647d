/** The state that the control plane serves, and drafts of the next one. */
import { type Catalog, emptyCatalog } from "../../compiler/catalog/catalog.ts";
import type { Effect } from "../../compiler/metadata/operation.ts";
import type { Compiled } from "./compile-analysis.ts";
import type { IntrospectionResults } from "./compile-state.ts";

/** One version of the metadata with everything derived from it. Immutable. */
export interface State extends IntrospectionResults, Compiled {
  readonly catalog: Catalog;
  readonly resourceVersion: number;
}

/** A copy of the state that a request changes. The items of a bulk change it one after another. */
export interface Draft extends Mutable<Omit<State, "resourceVersion">> {
  /** If true, the draft must be stored. */
  modified: boolean;
  readonly effects: Effect[];
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

export function draftOf({ resourceVersion: _, ...state }: State): Draft {
  return { ...state, modified: false, effects: [] };
}

/** Returns the state of a stored draft. */
export function stateOf({ modified: _, effects: __, ...state }: Draft, resourceVersion: number): State {
  return { ...state, resourceVersion };
}

/** Returns the metadata of a first start. Contains the source `default` if an option configures its database. */
export function initialCatalog(hasDefaultSource: boolean): Catalog {
  if (!hasDefaultSource) return emptyCatalog;
  const configuration = { connection_info: { database_url: { from_env: "ENGINE_GRAPHQL_DATABASE_URL" } } };
  const lists = { tables: [], functions: [], native_queries: [], stored_procedures: [], logical_models: [] };
  return { ...emptyCatalog, sources: [{ name: "default", kind: "postgres", configuration, ...lists }] };
}
