/** Metadata and databases → a state: introspects what has to be looked at, analyses and compiles the whole. */
import type { AnalysisOptions } from "../../compiler/2-analyze/analysis.ts";
import { analyze } from "../../compiler/2-analyze/analyze.ts";
import type { Catalog } from "../../compiler/catalog/catalog.ts";
import type { Effect } from "../../compiler/metadata/operation.ts";
import type { PlanOptions } from "../model/planner/select/context.ts";
import type { Meters } from "../ports/metrics.ts";
import { type Compiled, compileAnalysis } from "./compile-analysis.ts";
import type { CodeCache } from "./load/code-cache.ts";
import type { RemoteIntrospections, RemoteSchemaRegistry } from "./remote-schema-registry.ts";
import type { Introspections, OpenTransaction, SourceRegistry } from "./source-registry.ts";
import { engineError } from "./thrown.ts";

/** What databases and remote servers said when they were last looked at. */
export interface Surroundings {
  readonly introspections: Introspections;
  readonly remoteIntrospections: RemoteIntrospections;
}

export const nothingKnown: Surroundings = { introspections: new Map(), remoteIntrospections: new Map() };

export interface Registries {
  readonly sources: SourceRegistry;
  readonly remoteSchemas: RemoteSchemaRegistry;
}

/** What of its surroundings a state is to look at again. */
export interface Reload
  extends Partial<Pick<Extract<Effect, { readonly kind: "reload" }>, "sources" | "remoteSchemas">> {
  /** Sources that are read even if their databases seem to be what they were. */
  readonly anew?: readonly string[];
}

/** Looks at what is new, changed or to be reloaded; keeps what is known of everything else. */
export async function lookAround(
  catalog: Catalog,
  known: Surroundings,
  { sources, remoteSchemas }: Registries,
  {
    mostMilliseconds,
    within,
    ...reload
  }: Reload & { readonly mostMilliseconds?: number; readonly within?: OpenTransaction | undefined } = {},
): Promise<Surroundings> {
  const [introspections, remoteIntrospections] = await Promise.all([
    sources.introspections(catalog, known.introspections, new Set(reload.sources), new Set(reload.anew), within),
    remoteSchemas.introspections(catalog, known.remoteIntrospections, new Set(reload.remoteSchemas), mostMilliseconds),
  ]);
  return { introspections, remoteIntrospections };
}

/** How the metadata of a server is compiled. */
export interface CompilerSettings {
  readonly analysis: AnalysisOptions;
  /** How saved operations are planned. */
  readonly planning: PlanOptions;
  /** Of all that the server compiles. */
  readonly code: CodeCache;
  /** Absent: nobody reads them. */
  readonly meters?: Meters;
}

/**
 * @param path of the operation, for the error
 * @throws EngineError when the metadata cannot be served at all, such as two root fields of one name
 */
export function compileState(
  catalog: Catalog,
  surroundings: Surroundings,
  { analysis: options, planning, code, meters }: CompilerSettings,
  path: string,
  previous?: Compiled,
): Compiled {
  const start = performance.now();
  const introspections = said(surroundings.introspections);
  const remoteIntrospections = said(surroundings.remoteIntrospections);
  const analysis = analyze({
    catalog,
    introspections,
    remoteIntrospections,
    options,
    previous: previous?.program.analysis,
  });
  if (!analysis.ok) throw engineError(analysis.error).at(path);
  const compiled = compileAnalysis({ analysis: analysis.value, previous, planning, code });
  meters?.compileTime.record((performance.now() - start) / 1000);
  return compiled;
}

function said<T>(known: ReadonlyMap<string, { readonly introspection: T }>): ReadonlyMap<string, T> {
  return new Map([...known].map(([name, { introspection }]) => [name, introspection]));
}
