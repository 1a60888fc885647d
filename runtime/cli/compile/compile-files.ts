/** Compiles metadata files and introspections, for all commands that work without a server. */
import type { SourceIntrospection } from "../../../compiler/2-analyze/analysis.ts";
import type { Catalog } from "../../../compiler/catalog/catalog.ts";
import { ok, type Result } from "../../../compiler/diagnostics/diagnostic.ts";
import type { RemoteIntrospection } from "../../../compiler/shape/remote-shape.ts";
import { type Environment, parseOptions } from "../../config/options.ts";
import { analysisOptions, planOptions } from "../../control/analysis-options.ts";
import { type Compiled, compileMetadata } from "../../control/compile-analysis.ts";
import type { PlanOptions } from "../../model/planner/select/context.ts";
import { assumeVariables } from "./assumed-environment.ts";

export interface FilesToCompile {
  readonly catalog: Catalog;
  /** By source. */
  readonly introspections: ReadonlyMap<string, SourceIntrospection>;
  /** By remote schema; schemas without an entry are left out. */
  readonly remoteIntrospections: ReadonlyMap<string, RemoteIntrospection>;
  /** Contains the options of the target server. Missing variables of the metadata count as set. */
  readonly environment: Environment;
  /** If true, the program includes typed documents of the saved operations. */
  readonly client?: boolean | undefined;
  /** A program of similar files, whose unchanged parts are reused. */
  readonly previous?: Compiled | undefined;
}

export interface CompiledFiles extends Compiled {
  readonly planning: PlanOptions;
  /** Variables of the metadata that the environment lacks and the server needs. */
  readonly assumedVariables: readonly string[];
}

/** Compiles the files. Like `analyze`, returns an error for a problem that excluding objects does not solve. */
export function compileFiles(files: FilesToCompile): Result<CompiledFiles> {
  const { catalog, introspections, remoteIntrospections, environment, client, previous } = files;
  const options = parseOptions({}, environment);
  const variables = assumeVariables(environment);
  const planning = planOptions(options);
  const compiled = compileMetadata({
    catalog,
    introspections,
    remoteIntrospections,
    options: analysisOptions(options, variables.environment),
    planning,
    client,
    previous,
  });
  return compiled.ok ? ok({ ...compiled.value, planning, assumedVariables: variables.assumed() }) : compiled;
}
