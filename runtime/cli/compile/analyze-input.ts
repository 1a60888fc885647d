/** What `compile` and `build` start from: metadata in files and Shapes → an Analysis, or what is wrong with them. */
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Analysis, SourceIntrospection } from "../../../compiler/2-analyze/analysis.ts";
import { analyze } from "../../../compiler/2-analyze/analyze.ts";
import type { Catalog, Source } from "../../../compiler/catalog/model.ts";
import type { Program } from "../../../compiler/index.ts";
import { type Environment, parseOptions } from "../../config/options.ts";
import { analysisOptions } from "../../control/analysis-options.ts";
import { loadProgram, savedOperationFaults } from "../../control/load-program.ts";
import { EngineError } from "../../support/errors.ts";
import type { PlanOptions } from "../../support/select/context.ts";
import { diagnosticText, inconsistencyText } from "../problem-text.ts";
import { enumTables, introspectUrl } from "./introspect-url.ts";
import { type CatalogFiles, readCatalog } from "./read-catalog.ts";
import { readShapeFile } from "./shape-file.ts";

export interface AnalyzedInput {
  /** A metadata directory, or one JSON or YAML file. */
  readonly metadata: string;
  /** Saved Shapes; unless given, `shape.json` beside the metadata. */
  readonly shape?: string;
  /** A database to introspect instead. */
  readonly database?: string;
  /** Whether typed documents of the saved operations belong to the program. */
  readonly client?: boolean;
}

export interface AnalyzedProgram {
  readonly files: CatalogFiles;
  readonly analysis: Analysis;
  readonly program: Program;
  /** How saved operations were planned. */
  readonly planning: PlanOptions;
}

/**
 * Without inconsistencies, or a diagnostic for each mistake.
 * @throws EngineError when files or the database cannot be read
 */
export async function analyzeInput(
  options: AnalyzedInput,
  environment: Environment = process.env,
): Promise<AnalyzedProgram | { readonly problems: readonly string[] }> {
  const files = await readCatalog(options.metadata);
  if ("diagnostic" in files) return { problems: [diagnosticText(files.diagnostic, files.place)] };
  const { catalog, place } = files;
  const parsed = parseOptions({}, environment);
  const planning = { stringifyNumbers: parsed.stringifyNumericTypes, nullCollapse: parsed.nullCollapse };
  const analysis = analyze({
    catalog,
    introspections: await introspectionsOf(catalog, options),
    options: analysisOptions(parsed, environment),
    savedOperationFaults: (own) =>
      savedOperationFaults(loadProgram({ analysis: own, options: planning }).program, catalog),
  });
  if (!analysis.ok) return { problems: [diagnosticText(analysis.error, place)] };
  const wrong = analysis.value.inconsistencies.filter(({ informational }) => informational !== true);
  if (wrong.length > 0) return { problems: wrong.map((problem) => inconsistencyText(problem, catalog, place)) };
  const { program } = loadProgram({ analysis: analysis.value, options: planning, client: options.client });
  return { files, analysis: analysis.value, program, planning };
}

/** What is known of each source's database. */
async function introspectionsOf(
  { sources }: Catalog,
  { metadata, shape, database }: AnalyzedInput,
): Promise<ReadonlyMap<string, SourceIntrospection>> {
  if (sources.length === 0) return new Map();
  if (database !== undefined) {
    if (shape !== undefined) throw usageError("give either a shape or a database");
    const source = onlySource(sources, "--database describes one source");
    return new Map([[source.name, { shape: await introspectUrl(database, source.kind, enumTables(source)) }]]);
  }
  const beside = join(dirname(resolve(metadata)), "shape.json");
  if (shape === undefined && !existsSync(beside)) {
    throw usageError(`what the databases look like is unknown: give --shape or --database, or save it as ${beside}`);
  }
  const file = shape ?? beside;
  const saved = await readShapeFile(file);
  if (saved.kind === "one") {
    return new Map([[onlySource(sources, `${file} describes one source`).name, { shape: saved.shape }]]);
  }
  return new Map(
    sources.map(({ name }) => {
      const found = saved.shapes.get(name);
      return [name, found ? { shape: found } : { error: { message: `${file} has no shape of source ${name}` } }];
    }),
  );
}

function onlySource(sources: readonly Source[], claim: string): Source {
  const [source, ...others] = sources;
  if (source === undefined || others.length > 0) {
    const names = sources.map(({ name }) => name).join(", ");
    throw usageError(`${claim}, but the metadata has ${sources.length} (${names}): give a file with a shape for each`);
  }
  return source;
}

const usageError = (message: string): EngineError => new EngineError("invalid-params", "$", message);

/** Prints the mistakes; the exit code of a command that has written nothing. */
export function report(problems: readonly string[]): number {
  const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
  process.stderr.write(`${problems.join("\n")}\n${count}, nothing was written\n`);
  return 1;
}
