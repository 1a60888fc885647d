/** Checks a project's files without a server. */

import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { SourceIntrospection } from "../../../compiler/2-analyze/analysis.ts";
import { noticesOf } from "../../../compiler/2-analyze/notices.ts";
import type { Source } from "../../../compiler/catalog/model.ts";
import { emptyShape, type Shape } from "../../../compiler/shape/shape.ts";
import { didYouMean } from "../../values/nearest-name.ts";
import { literalSecrets } from "../build/literal-secrets.ts";
import { analyzeCatalog, leftOutLines } from "../compile/analyze-input.ts";
import { enumTables, introspectUrl } from "../compile/introspect-url.ts";
import { type CatalogFiles, readCatalog } from "../compile/read-catalog.ts";
import { savedIntrospections } from "../compile/saved-introspections.ts";
import { databasesWithFiles, readMigrations } from "../migrations/migration-files.ts";
import { planMigrations, sqlOf } from "../migrations/plan.ts";
import { readSeeds } from "../migrations/seed-files.ts";
import type { SqlFile } from "../migrations/sql-failure.ts";
import { diagnosticText } from "../problem-text.ts";
import type { Settings } from "../project/settings.ts";
import { runFiles, scratchKind } from "../scratch/run-files.ts";
import { withScratchDatabases } from "../scratch/scratch-databases.ts";
import { attempt } from "./attempt.ts";

export interface CheckSettings extends ShapeSettings {
  /** If true, inconsistent objects are warnings. */
  readonly allowInconsistent: boolean;
}

export interface Checked {
  /** One line for each problem; empty if the project is valid. */
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
  /** Checked parts of the project, for the report. */
  readonly checked: readonly string[];
  /** By source; empty if the files of the project cannot be read, or its SQL fails. */
  readonly shapes: ReadonlyMap<string, Shape>;
}

/** @throws EngineError if saved Shapes cannot be read, or no scratch database is available */
export async function checkProject(settings: Settings, options: CheckSettings): Promise<Checked> {
  const files = await attempt(() => databaseFiles(settings));
  const metadata = await attempt(() => readCatalog(settings.metadataPath));
  const problems = [files, metadata].flatMap((each) => ("problem" in each ? [each.problem] : []));
  if ("value" in metadata && "diagnostic" in metadata.value) {
    problems.push(diagnosticText(metadata.value.diagnostic, metadata.value.place));
  }
  if ("problem" in files || "problem" in metadata || "diagnostic" in metadata.value) {
    return { problems, warnings: [], checked: [], shapes: new Map() };
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
  const checked = ["metadata", ...found.ran];
  // Without the tables, every object of the metadata would be reported as missing.
  if (found.problems.length > 0) return { problems, warnings: [], checked, shapes: new Map() };
  const { metadataPath, environment } = settings;
  const input = { metadata: metadataPath, allowInconsistent: options.allowInconsistent };
  const analyzed = await analyzeCatalog(metadata, found.introspections, input, environment);
  const secrets = literalSecrets(metadata.document);
  const warnings = secrets.map((path) => `warning: ${metadata.place(path)}: literal secret (${path})`);
  const shapes = shapesOf(found.introspections);
  if ("problems" in analyzed) return { problems: [...problems, ...analyzed.problems], warnings, checked, shapes };
  const notices = noticesOf(analyzed.analysis);
  warnings.push(...notices.map(({ path, message }) => `notice: ${metadata.place(path)}: ${message}`));
  warnings.push(...leftOutLines(analyzed, metadataPath), ...neededVariables(analyzed.assumedVariables));
  return { problems, warnings, checked, shapes };
}

function shapesOf(introspections: ReadonlyMap<string, SourceIntrospection>): ReadonlyMap<string, Shape> {
  return new Map([...introspections].flatMap(([name, found]) => ("shape" in found ? [[name, found.shape]] : [])));
}

function neededVariables(names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  return [`environment variables required by the server and not set here: ${names.join(", ")}`];
}

/** Reports folders of databases that the metadata lacks: a deployment would refuse them. */
function strayFolders(files: ReadonlyMap<string, DatabaseFiles>, sources: readonly Source[]): readonly string[] {
  const names = sources.map(({ name }) => name);
  const strays = [...files.keys()].filter((name) => !names.includes(name));
  return strays.map((name) => {
    const hint = didYouMean(name, names) ?? (names.length === 0 ? "it has none" : `it has ${names.join(", ")}`);
    return `error: migrations or seeds belong to database ${name}, which the metadata does not have: ${hint}`;
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
  readonly problems: readonly string[];
  /** Counts of the migrations and seeds that ran, by source. */
  readonly ran: readonly string[];
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
    problems: unknown.map((name) => `error: the shape of database ${name} is unknown: ${advice}`),
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
  const problems: string[] = [];
  const ran: string[] = [];
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
      ran.push(`${counted(migrations, "migration")} and ${counted(seeds, "seed")} of ${source.name}`);
      introspections.set(source.name, { shape: await introspectUrl(url, scratchKind, enumTables(source)) });
    }
  });
  return { introspections, problems, ran };
}

const counted = ({ length }: readonly unknown[], noun: string): string => `${length} ${noun}${length === 1 ? "" : "s"}`;

// The SQL files from which a project builds its databases.

interface DatabaseFiles {
  /** In execution order. */
  readonly migrations: readonly SqlFile[];
  readonly seeds: readonly SqlFile[];
}

/**
 * Returns the files of each database that has a folder.
 * @throws EngineError for folders that are not migrations, and for files that cannot be read
 */
async function databaseFiles({
  migrationsPath,
  seedsPath,
}: Pick<Settings, "migrationsPath" | "seedsPath">): Promise<ReadonlyMap<string, DatabaseFiles>> {
  const names = [...(await databasesWithFiles(migrationsPath)), ...(await databasesWithFiles(seedsPath))];
  const found = new Map<string, DatabaseFiles>();
  for (const name of [...new Set(names)].sort()) {
    const steps = planMigrations(await readMigrations(migrationsPath, name), new Map(), { kind: "pending" });
    const migrations = steps.map(sqlOf).filter((file) => file !== undefined);
    found.set(name, { migrations, seeds: await readSeeds(seedsPath, name) });
  }
  return found;
}
