/**
 * Metadata in files and what is known of its databases → all that it is compiled to. Every command that works without
 * a server judges metadata by it, so that all of them find the same faults.
 */
import type { SourceIntrospection } from "../../../compiler/2-analyze/analysis.ts";
import { analyze } from "../../../compiler/2-analyze/analyze.ts";
import type { Catalog } from "../../../compiler/catalog/catalog.ts";
import { ok, type Result } from "../../../compiler/diagnostics/diagnostic.ts";
import type { RemoteIntrospection } from "../../../compiler/shape/remote-shape.ts";
import { type Environment, parseOptions } from "../../config/options.ts";
import { analysisOptions, planOptions } from "../../control/analysis-options.ts";
import { type Compiled, compileAnalysis } from "../../control/compile-analysis.ts";
import type { PlanOptions } from "../../model/planner/select/context.ts";
import { assumeVariables } from "./assumed-environment.ts";

export interface FilesToCompile {
  readonly catalog: Catalog;
  /** By source. */
  readonly introspections: ReadonlyMap<string, SourceIntrospection>;
  /** By remote schema; of those that are not there nothing is known. */
  readonly remoteIntrospections: ReadonlyMap<string, RemoteIntrospection>;
  /** Has the options of the server that is to serve it. Variables that the metadata names and this lacks count as set. */
  readonly environment: Environment;
  /** Whether typed documents of the saved operations belong to the program. */
  readonly client?: boolean | undefined;
}

export interface CompiledFiles extends Compiled {
  /** How saved operations were planned. */
  readonly planning: PlanOptions;
  /** Variables that the metadata names and the environment lacks: the server needs them. */
  readonly assumedVariables: readonly string[];
}

/** The error is what cannot even be left out, as with `analyze`. */
export function compileFiles(files: FilesToCompile): Result<CompiledFiles> {
  const { catalog, introspections, remoteIntrospections, environment, client } = files;
  const options = parseOptions({}, environment);
  const variables = assumeVariables(environment);
  const analysis = analyze({
    catalog,
    introspections,
    remoteIntrospections,
    options: analysisOptions(options, variables.environment),
  });
  if (!analysis.ok) return analysis;
  const planning = planOptions(options);
  const compiled = compileAnalysis({ analysis: analysis.value, planning, client });
  return ok({ ...compiled, planning, assumedVariables: variables.assumed() });
}
