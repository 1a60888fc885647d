/** Checks a project's files without a server. */

import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { SourceIntrospection } from "../../../compiler/2-analyze/analysis.ts";
import { noticesOf } from "../../../compiler/2-analyze/notices.ts";
import type { Source } from "../../../compiler/catalog/model.ts";
import { emptyShape, type Shape } from "../../../compiler/shape/shape.ts";
import { didYouMean } from "../../values/nearest-name.ts";
import { literalSecrets } from "../build/literal-secrets.ts";
import { analyzeCatalog, leftOutProblems } from "../compile/analyze-input.ts";
import { enumTables, introspectUrl } from "../compile/introspect-url.ts";
import { type CatalogFiles, readCatalog } from "../compile/read-catalog.ts";
import { savedIntrospections } from "../compile/saved-introspections.ts";
import { type DatabaseFiles, databaseFiles } from "../migrations/database-files.ts";
import { diagnosticProblem, type Problem, problem, problemAt } from "../problem.ts";
import type { ProblemCode } from "../problem-codes.ts";
import type { Settings } from "../project/settings.ts";
import { runFiles, scratchKind } from "../scratch/run-files.ts";
import { withScratchDatabases } from "../scratch/scratch-databases.ts";
import { attempt } from "./attempt.ts";

export interface CheckSettings extends ShapeSettings {
  /** If true, inconsistent objects are warnings. */
  readonly allowInconsistent: boolean;
}

export interface Checked {
  /** Empty if the project is valid. */
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
  /** Databases whose migrations and seeds ran. */
  readonly ran: readonly RanFiles[];
  /** By source; empty if the files of the project cannot be read, or its SQL fails. */
  readonly shapes: ReadonlyMap<string, Shape>;
}

/** @throws EngineError if saved Shapes cannot be read, or no scratch database is available */
export async function checkProject(settings: Settings, options: CheckSettings): Promise<Checked> {
  const files = await attempt(() => databaseFiles(settings));
  const metadata = await attempt(() => readCatalog(settings.metadataPath));
  const problems = [files, metadata].flatMap((each) => ("problem" in each ? [each.problem] : []));
  if ("value" in metadata && "diagnostic" in metadata.value) {
    problems.push(diagnosticProblem(metadata.value.diagnostic, metadata.value.place));
  }
  if ("problem" in files || "problem" in metadata || "diagnostic" in metadata.value) {
    return { problems, warnings: [], ran: [], shapes: new Map() };
  }
  return checkFiles(settings, options, files.value, metadata.value);
}

async function checkFiles(
  settings: Settings,
  options: CheckSettings,
  files: ReadonlyMap<string, DatabaseFiles>,
  metadata: CatalogFiles,
): Promise<Checked> {
  const { sources } = metadata.catalog;
  const found = await findShapes(settings, options, files, sources);
  const problems = [...strayFolders(files, sources), ...found.problems];
  const { ran } = found;
  // Without the tables, every object of the metadata would be reported as missing.
  if (found.problems.length > 0) return { problems, warnings: [], ran, shapes: new Map() };
  const { metadataPath, environment } = settings;
  const input = { metadata: metadataPath, allowInconsistent: options.allowInconsistent };
  const analyzed = await analyzeCatalog(metadata, found.introspections, input, environment);
  const secrets = literalSecrets(metadata.document);
  const warnings = secrets.map((path) => secretProblem(path, metadata.place(path)));
  const shapes = shapesOf(found.introspections);
  if ("problems" in analyzed) return { problems: [...problems, ...analyzed.problems], warnings, ran, shapes };
  const notices = noticesOf(analyzed.analysis);
  warnings.push(...notices.map(({ path, message }) => noticeProblem(path, message, metadata.place(path))));
  warnings.push(...leftOutProblems(analyzed, metadataPath), ...neededVariables(analyzed.assumedVariables));
  return { problems, warnings, ran, shapes };
}

function secretProblem(path: string, place: string): Problem {
  return problemWithin("warning", "literal-secret", { path, place, message: `literal secret (${path})` });
}

function noticeProblem(path: string, message: string, place: string): Problem {
  return problemWithin("notice", "no-effect", { path, place, message });
}

/** A problem whose line begins with its severity. */
function problemWithin(
  severity: Problem["severity"],
  code: ProblemCode,
  { path, place, message }: { readonly path: string; readonly place: string; readonly message: string },
): Problem {
  const found = problemAt(place, { severity, code, message, path });
  return { ...found, line: `${severity}: ${found.line}` };
}

function shapesOf(introspections: ReadonlyMap<string, SourceIntrospection>): ReadonlyMap<string, Shape> {
  return new Map([...introspections].flatMap(([name, found]) => ("shape" in found ? [[name, found.shape]] : [])));
}

function neededVariables(names: readonly string[]): readonly Problem[] {
  if (names.length === 0) return [];
  const message = `environment variables required by the server and not set here: ${names.join(", ")}`;
  return [{ ...problem("notice", "missing-variable", message), line: message }];
}

/** Reports folders of databases that the metadata lacks: a deployment would refuse them. */
function strayFolders(files: ReadonlyMap<string, DatabaseFiles>, sources: readonly Source[]): readonly Problem[] {
  const names = sources.map(({ name }) => name);
  const strays = [...files.keys()].filter((name) => !names.includes(name));
  return strays.map((name) => {
    const hint = didYouMean(name, names) ?? (names.length === 0 ? "it has none" : `it has ${names.join(", ")}`);
    const message = `migrations or seeds belong to database ${name}, which the metadata does not have: ${hint}`;
    return problem("error", "unmatched-folder", message);
  });
}

// Shapes of a project's databases, from scratch databases built by the project's SQL or from saved files.

interface ShapeSettings {
  /** Saved Shapes; by default, scratch databases are built from the project's SQL. */
  readonly shape?: string | undefined;
  /** If false, no SQL runs and the Shapes are read from `shape.json` beside the metadata. */
  readonly scratch: boolean;
  /** Server for scratch databases; an embedded PostgreSQL by default. */
  readonly shadowUrl?: string | undefined;
}

interface ShapesFound {
  /** By source; sources with a problem have no entry. */
  readonly introspections: ReadonlyMap<string, SourceIntrospection>;
  readonly problems: readonly Problem[];
  readonly ran: readonly RanFiles[];
}

/** Numbers of migrations and seeds that ran on a database. */
export interface RanFiles {
  readonly source: string;
  readonly migrations: number;
  readonly seeds: number;
}

/** @throws EngineError if saved Shapes cannot be read, or no scratch database is available */
async function findShapes(
  { metadataPath }: Pick<Settings, "metadataPath">,
  { shape, scratch, shadowUrl }: ShapeSettings,
  files: ReadonlyMap<string, DatabaseFiles>,
  sources: readonly Source[],
): Promise<ShapesFound> {
  const isMade = ({ name, kind }: Source): boolean =>
    shape === undefined && scratch && kind === scratchKind && files.has(name);
  const saved = await savedShapes(
    metadataPath,
    shape,
    sources.filter((source) => !isMade(source)),
  );
  const made = await madeShapes(shadowUrl, files, sources.filter(isMade));
  return {
    introspections: new Map([...saved.introspections, ...made.introspections]),
    problems: [...saved.problems, ...made.problems],
    ran: made.ran,
  };
}

async function savedShapes(
  metadataPath: string,
  shape: string | undefined,
  sources: readonly Source[],
): Promise<ShapesFound> {
  if (sources.length === 0) return { introspections: new Map(), problems: [], ran: [] };
  const beside = join(dirname(resolve(metadataPath)), "shape.json");
  if (shape !== undefined || existsSync(beside)) {
    return { introspections: await savedIntrospections(shape ?? beside, sources), problems: [], ran: [] };
  }
  const unknown = sources.filter((source) => !isBare(source)).map(({ name }) => name);
  const advice = `write migrations, pass --shape, or save it with \`engine shape\` as ${beside}`;
  return {
    introspections: new Map(sources.map(({ name, kind }) => [name, { shape: emptyShape(kind) }])),
    problems: unknown.map((name) =>
      problem("error", "unknown-shape", `the shape of database ${name} is unknown: ${advice}`),
    ),
    ran: [],
  };
}

/** Returns true if the metadata names no object of the database. */
const isBare = ({ tables, functions, native_queries, stored_procedures, logical_models }: Source): boolean =>
  [tables, functions, native_queries, stored_procedures, logical_models].every((list) => list.length === 0);

async function madeShapes(
  shadowUrl: string | undefined,
  files: ReadonlyMap<string, DatabaseFiles>,
  sources: readonly Source[],
): Promise<ShapesFound> {
  const introspections = new Map<string, SourceIntrospection>();
  const problems: Problem[] = [];
  const ran: RanFiles[] = [];
  if (sources.length === 0) return { introspections, problems, ran };
  await withScratchDatabases(shadowUrl, async (newDatabase) => {
    for (const source of sources) {
      const { migrations = [], seeds = [] } = files.get(source.name) ?? {};
      const url = await newDatabase();
      const result = await attempt(() => runFiles(url, [...migrations, ...seeds]));
      if ("problem" in result) {
        problems.push(result.problem);
        continue;
      }
      ran.push({ source: source.name, migrations: migrations.length, seeds: seeds.length });
      introspections.set(source.name, { shape: await introspectUrl(url, scratchKind, enumTables(source)) });
    }
  });
  return { introspections, problems, ran };
}
