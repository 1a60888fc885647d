/** What `compile` and `build` start from: metadata in files and Shapes → an Analysis, or what is wrong with them. */
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { SourceIntrospection } from "../../../compiler/2-analyze/analysis.ts";
import type { Catalog } from "../../../compiler/catalog/catalog.ts";
import type { Environment } from "../../config/options.ts";
import { EngineError } from "../../values/errors.ts";
import { diagnosticText, foldedByCause, inconsistencyText } from "../problem-text.ts";
import { type CompiledFiles, compileFiles } from "./compile-files.ts";
import { enumTables, introspectUrl } from "./introspect-url.ts";
import { type CatalogFiles, readCatalog } from "./read-catalog.ts";
import { onlySource, savedIntrospections } from "./saved-introspections.ts";
import { remoteSchemasFile, savedRemoteIntrospections } from "./saved-remote-schemas.ts";

export interface AnalyzedInput {
  /** A metadata directory, or one JSON or YAML file. */
  readonly metadata: string;
  /** Saved Shapes; unless given, `shape.json` beside the metadata. */
  readonly shape?: string;
  /** A database to introspect instead. */
  readonly database?: string;
  /** Whether typed documents of the saved operations belong to the program. */
  readonly client?: boolean;
  /** Leave inconsistent objects out, instead of refusing them all. */
  readonly allowInconsistent?: boolean;
}

export interface AnalyzedProgram extends CompiledFiles {
  readonly files: CatalogFiles;
  /** A line for each object that was left out because it is inconsistent. */
  readonly inconsistent: readonly string[];
}

/**
 * Without inconsistencies unless they are allowed, or a diagnostic for each mistake.
 * @throws EngineError when files or the database cannot be read
 */
export async function analyzeInput(
  options: AnalyzedInput,
  environment: Environment = process.env,
): Promise<AnalyzedProgram | { readonly problems: readonly string[] }> {
  const files = await readCatalog(options.metadata);
  if ("diagnostic" in files) return { problems: [diagnosticText(files.diagnostic, files.place)] };
  const introspections = await introspectionsOf(files.catalog, options);
  return analyzeCatalog(files, introspections, options, environment);
}

/**
 * The same for metadata and databases that are known.
 * @throws EngineError when what is saved of remote schemas cannot be read
 */
export async function analyzeCatalog(
  files: CatalogFiles,
  introspections: ReadonlyMap<string, SourceIntrospection>,
  options: Pick<AnalyzedInput, "metadata" | "client" | "allowInconsistent">,
  environment: Environment,
): Promise<AnalyzedProgram | { readonly problems: readonly string[] }> {
  const { catalog, place } = files;
  const remoteIntrospections = await savedRemoteIntrospections(options.metadata, catalog.remote_schemas);
  const { client } = options;
  const compiled = compileFiles({ catalog, introspections, remoteIntrospections, environment, client });
  if (!compiled.ok) return { problems: [diagnosticText(compiled.error, place)] };
  const { inconsistencies } = compiled.value.analysis;
  const wrong = inconsistencies.filter(({ informational }) => informational !== true);
  const inconsistent = foldedByCause(
    wrong.map((problem) => inconsistencyText(problem, catalog, place)),
    wrong.map(({ causedBy }) => causedBy),
  );
  if (inconsistent.length > 0 && options.allowInconsistent !== true) return { problems: inconsistent };
  return { ...compiled.value, files, inconsistent };
}

/** What is not in the files that are made; empty: it is all there. */
export function leftOut(program: AnalyzedProgram, metadata: string): string {
  return leftOutLines(program, metadata)
    .map((line) => `${line}\n`)
    .join("");
}

export function leftOutLines({ analysis, inconsistent }: AnalyzedProgram, metadata: string): readonly string[] {
  return [
    ...inconsistent.map((line) => `left out: ${line}`),
    ...unknownRemoteSchemas(analysis, metadata),
    ...uncheckedNativeQueries(analysis),
  ];
}

/** A saved shape describes tables and functions; whether a native query runs only its database knows. */
function uncheckedNativeQueries({ sources }: AnalyzedProgram["analysis"]): readonly string[] {
  return [...sources.values()].flatMap(({ name, introspection, nativeQueries }) => {
    const unchecked = "shape" in introspection && introspection.nativeQueries === undefined;
    if (!unchecked || nativeQueries.size === 0) return [];
    const queries = [...nativeQueries.keys()].join(", ");
    return [`warning: the SQL of native queries of ${name} was not run against its database: ${queries}`];
  });
}

function unknownRemoteSchemas({ remoteSchemas }: AnalyzedProgram["analysis"], metadata: string): readonly string[] {
  const unknown = [...remoteSchemas.values()].filter(({ shape }) => shape === undefined);
  if (unknown.length === 0) return [];
  const names = unknown.map(({ schema }) => schema.name).join(", ");
  const file = remoteSchemasFile(metadata);
  return [
    `warning: no role has the fields of remote schemas ${names}: ${file} is missing, which engine remote-schemas writes`,
  ];
}

/**
 * What is known of each source's database.
 * @throws EngineError when nothing is, or it cannot be read
 */
export async function introspectionsOf(
  { sources }: Catalog,
  { metadata, shape, database }: Pick<AnalyzedInput, "metadata" | "shape" | "database">,
): Promise<ReadonlyMap<string, SourceIntrospection>> {
  if (sources.length === 0) return new Map();
  if (database !== undefined) {
    if (shape !== undefined) throw usageError("give either a shape or a database");
    const source = onlySource(sources, "--database describes one source");
    return new Map([[source.name, { shape: await introspectUrl(database, source.kind, enumTables(source)) }]]);
  }
  const beside = join(dirname(resolve(metadata)), "shape.json");
  if (shape === undefined && !existsSync(beside)) {
    throw usageError(
      `what the databases look like is unknown: give --shape, or save it with \`engine shape\` as ${beside}`,
    );
  }
  return savedIntrospections(shape ?? beside, sources);
}

const usageError = (message: string): EngineError => new EngineError("invalid-params", "$", message);

/** Prints the mistakes; the exit code of a command that has written nothing. */
export function report(problems: readonly string[]): number {
  const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
  process.stderr.write(`${problems.join("\n")}\n${count}, nothing was written\n`);
  return 1;
}
