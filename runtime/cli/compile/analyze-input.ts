/** Reads and analyses the input of `compile` and `build`: metadata files and Shapes. */
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { SourceIntrospection } from "../../../compiler/2-analyze/analysis.ts";
import type { Catalog } from "../../../compiler/catalog/catalog.ts";
import type { Environment } from "../../config/options.ts";
import { EngineError } from "../../values/errors.ts";
import { InvalidFiles } from "../invalid-files.ts";
import { diagnosticProblem, inconsistencyProblem, leftOutProblem, type Problem, problem } from "../problem.ts";
import { printDone, printProblems } from "../project/output.ts";
import { type CompiledFiles, compileFiles } from "./compile-files.ts";
import { enumTables, introspectUrl } from "./introspect-url.ts";
import { type CatalogFiles, readCatalog } from "./read-catalog.ts";
import { onlySource, savedIntrospections } from "./saved-introspections.ts";
import { remoteSchemasFile, savedRemoteIntrospections } from "./saved-remote-schemas.ts";

export interface AnalyzedInput {
  /** A metadata directory, or one JSON or YAML file. */
  readonly metadata: string;
  /** Saved Shapes; default `shape.json` beside the metadata. */
  readonly shape?: string;
  /** A database to introspect, instead of saved Shapes. */
  readonly database?: string;
  /** If true, the program includes typed documents of the saved operations. */
  readonly client?: boolean;
  /** If true, inconsistent objects are omitted instead of causing a failure. */
  readonly allowInconsistent?: boolean;
}

export interface AnalyzedProgram extends CompiledFiles {
  readonly files: CatalogFiles;
  /** The omitted, inconsistent objects. */
  readonly inconsistent: readonly Problem[];
}

/**
 * Returns the program or, for invalid metadata and for inconsistencies that are not allowed, one diagnostic each.
 * @throws EngineError if files or the database cannot be read
 */
export async function analyzeInput(
  options: AnalyzedInput,
  environment: Environment = process.env,
): Promise<AnalyzedProgram | { readonly problems: readonly Problem[] }> {
  const files = await readCatalog(options.metadata);
  if ("diagnostic" in files) return { problems: [diagnosticProblem(files.diagnostic, files.place)] };
  const introspections = await introspectionsOf(files.catalog, options);
  return analyzeCatalog(files, introspections, options, environment);
}

/**
 * Analyses metadata and introspections that have been read.
 * @param previous a program of similar metadata, whose unchanged parts are reused
 * @throws EngineError if saved introspections of remote schemas cannot be read
 */
export async function analyzeCatalog(
  files: CatalogFiles,
  introspections: ReadonlyMap<string, SourceIntrospection>,
  options: Pick<AnalyzedInput, "metadata" | "client" | "allowInconsistent">,
  environment: Environment,
  previous?: AnalyzedProgram,
): Promise<AnalyzedProgram | { readonly problems: readonly Problem[] }> {
  const { catalog, place } = files;
  const remoteIntrospections = await savedRemoteIntrospections(options.metadata, catalog.remote_schemas);
  const { client } = options;
  const compiled = compileFiles({ catalog, introspections, remoteIntrospections, environment, client, previous });
  if (!compiled.ok) return { problems: [diagnosticProblem(compiled.error, place)] };
  const { inconsistencies } = compiled.value.analysis;
  const unserved = inconsistencies.filter(({ informational }) => informational !== true);
  const inconsistent = unserved.map((each) => inconsistencyProblem(each, catalog, place));
  if (inconsistent.length > 0 && options.allowInconsistent !== true) return { problems: inconsistent };
  return { ...compiled.value, files, inconsistent };
}

/** Lists objects that the output lacks, or that could not be checked. */
export function leftOutProblems({ analysis, inconsistent }: AnalyzedProgram, metadata: string): readonly Problem[] {
  return [
    ...inconsistent.map(leftOutProblem),
    ...unknownRemoteSchemas(analysis, metadata),
    ...uncheckedNativeQueries(analysis),
  ];
}

/** Lists native queries that only a database could check. */
function uncheckedNativeQueries({ sources }: AnalyzedProgram["analysis"]): readonly Problem[] {
  return [...sources.values()].flatMap(({ name, introspection, nativeQueries }) => {
    const unchecked = "shape" in introspection && introspection.nativeQueries === undefined;
    if (!unchecked || nativeQueries.size === 0) return [];
    const queries = [...nativeQueries.keys()].join(", ");
    return [
      problem("warning", "not-checked", `native queries of ${name} were not checked against its database: ${queries}`),
    ];
  });
}

function unknownRemoteSchemas({ remoteSchemas }: AnalyzedProgram["analysis"], metadata: string): readonly Problem[] {
  const unknown = [...remoteSchemas.values()].filter(({ shape }) => shape === undefined);
  if (unknown.length === 0) return [];
  const names = unknown.map(({ schema }) => schema.name).join(", ");
  const file = remoteSchemasFile(metadata);
  const message = `fields of remote schemas ${names} are left out: create ${file} with \`engine remote-schemas\``;
  return [problem("warning", "unknown-remote-schema", message)];
}

/**
 * Returns the introspection of each source.
 * @throws InvalidFiles if there are no saved Shapes; EngineError if they lack a source or cannot be read
 */
export async function introspectionsOf(
  { sources }: Catalog,
  { metadata, shape, database }: Pick<AnalyzedInput, "metadata" | "shape" | "database">,
): Promise<ReadonlyMap<string, SourceIntrospection>> {
  if (sources.length === 0) return new Map();
  if (database !== undefined) {
    if (shape !== undefined) throw usageError("--shape and --database are mutually exclusive");
    const source = onlySource(sources, "--database describes one source");
    return new Map([[source.name, { shape: await introspectUrl(database, source.kind, enumTables(source)) }]]);
  }
  const beside = join(dirname(resolve(metadata)), "shape.json");
  if (shape === undefined && !existsSync(beside)) {
    throw unknownShape(beside);
  }
  return savedIntrospections(shape ?? beside, sources);
}

/** @param file path of the saved Shapes */
export const unknownShape = (file: string): InvalidFiles =>
  new InvalidFiles([
    problem(
      "error",
      "unknown-shape",
      `the shape of the databases is unknown: pass --shape, or save it with \`engine shape\` as ${file}`,
    ),
  ]);

const usageError = (message: string): EngineError => new EngineError("invalid-params", "$", message);

/** Prints the problems, and returns the exit code of a command that has written nothing. */
export function report(problems: readonly Problem[]): number {
  printProblems(problems);
  printDone(`${problems.length === 1 ? "1 problem" : `${problems.length} problems`}, nothing was written`);
  return 1;
}
