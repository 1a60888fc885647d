/**
 * Computes a state from metadata and databases: introspects new, changed and reloaded sources, then analyses and
 * compiles everything.
 */
import type { AnalysisOptions } from "../../compiler/2-analyze/analysis.ts";
import type { Catalog } from "../../compiler/catalog/catalog.ts";
import type { Effect } from "../../compiler/metadata/operation.ts";
import type { PlanOptions } from "../model/planner/select/context.ts";
import type { Meters } from "../ports/metrics.ts";
import { type Compiled, compileMetadata } from "./compile-analysis.ts";
import { engineError } from "./diagnostic-errors.ts";
import type { CodeCache } from "./load/code-cache.ts";
import type { RemoteIntrospections, RemoteSchemaRegistry } from "./remote-schema-registry.ts";
import type { Introspections, OpenTransaction, SourceRegistry } from "./source-registry.ts";

/** Results of the last introspection of each source and remote schema. */
export interface IntrospectionResults {
  readonly introspections: Introspections;
  readonly remoteIntrospections: RemoteIntrospections;
}

export const noIntrospections: IntrospectionResults = { introspections: new Map(), remoteIntrospections: new Map() };

export interface Registries {
  readonly sources: SourceRegistry;
  readonly remoteSchemas: RemoteSchemaRegistry;
}

/** Sources and remote schemas to introspect although their configuration is unchanged. */
export interface Reload
  extends Partial<Pick<Extract<Effect, { readonly kind: "reload" }>, "sources" | "remoteSchemas">> {
  /** Sources whose catalogue is read even if its fingerprint is unchanged. */
  readonly forced?: readonly string[];
}

/** Introspects new, changed and reloaded sources and remote schemas; keeps the results of all others. */
export async function refreshIntrospections(
  catalog: Catalog,
  known: IntrospectionResults,
  { sources, remoteSchemas }: Registries,
  {
    maxMilliseconds,
    within,
    ...reload
  }: Reload & { readonly maxMilliseconds?: number; readonly within?: OpenTransaction | undefined } = {},
): Promise<IntrospectionResults> {
  const [introspections, remoteIntrospections] = await Promise.all([
    sources.introspections(catalog, known.introspections, new Set(reload.sources), new Set(reload.forced), within),
    remoteSchemas.introspections(catalog, known.remoteIntrospections, new Set(reload.remoteSchemas), maxMilliseconds),
  ]);
  return { introspections, remoteIntrospections };
}

export interface CompilerSettings {
  readonly analysis: AnalysisOptions;
  /** Options for planning saved operations. */
  readonly planning: PlanOptions;
  readonly code: CodeCache;
  /** Absent if metrics are disabled. */
  readonly meters?: Meters;
}

/**
 * Compiles metadata with the given introspection results.
 * @param path path of the operation, for errors
 * @throws EngineError if the metadata cannot be served at all, for example because of two root fields with one name
 */
export function compileState(
  catalog: Catalog,
  results: IntrospectionResults,
  { analysis: options, planning, code, meters }: CompilerSettings,
  path: string,
  previous?: Compiled,
): Compiled {
  const start = performance.now();
  const introspections = withoutKeys(results.introspections);
  const remoteIntrospections = withoutKeys(results.remoteIntrospections);
  const compiled = compileMetadata({
    catalog,
    introspections,
    remoteIntrospections,
    options,
    previous,
    planning,
    code,
  });
  if (!compiled.ok) throw engineError(compiled.error).at(path);
  meters?.compileTime.record((performance.now() - start) / 1000);
  return compiled.value;
}

/** Returns `state` compiled with other introspection results. @throws EngineError */
export function recompile<S extends Compiled & { readonly catalog: Catalog }>(
  state: S,
  found: IntrospectionResults,
  compiler: CompilerSettings,
): S & IntrospectionResults {
  return { ...state, ...found, ...compileState(state.catalog, found, compiler, "$", state) };
}

function withoutKeys<T>(known: ReadonlyMap<string, { readonly introspection: T }>): ReadonlyMap<string, T> {
  return new Map([...known].map(([name, { introspection }]) => [name, introspection]));
}
