/** Databases for permission tests: built by a project's migrations, and copied for each of the tests' workers. */

import type { SourceIntrospection } from "../../../compiler/2-analyze/analysis.ts";
import type { Source } from "../../../compiler/catalog/model.ts";
import type { Shape } from "../../../compiler/shape/shape.ts";
import { parseOptions } from "../../config/options.ts";
import { openSource } from "../../databases/sources/open-source.ts";
import type { DatabaseSource } from "../../databases/sources/source.ts";
import { EngineError } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import { userSetting } from "../../values/session-alias.ts";
import { type AnalyzedProgram, analyzeCatalog } from "../compile/analyze-input.ts";
import { enumTables, introspectUrl } from "../compile/introspect-url.ts";
import { type CatalogFiles, readCatalog } from "../compile/read-catalog.ts";
import { type DatabaseFiles, databaseFiles } from "../migrations/database-files.ts";
import type { SqlFile } from "../migrations/sql-failure.ts";
import { diagnosticProblem, type Problem } from "../problem.ts";
import type { Settings } from "../project/settings.ts";
import { runFiles, scratchKind } from "../scratch/run-files.ts";
import type { NewDatabase } from "../scratch/scratch-databases.ts";

export interface TestDatabases {
  readonly program: AnalyzedProgram;
  /** By source. */
  readonly introspections: ReadonlyMap<string, SourceIntrospection>;
  /** By source. */
  readonly sources: ReadonlyMap<string, TestSource>;
  /** Copies all databases, and opens the copies. The caller closes them. */
  open(): Promise<ReadonlyMap<string, DatabaseSource>>;
}

export interface TestSource {
  readonly shape: Shape;
  readonly seeds: readonly SqlFile[];
  /** SQL that restores the values of the sequences, which a rollback keeps; empty without sequences. */
  readonly resetSequences: string;
  /** Opens the database itself, which must not be connected to while it is copied. */
  readonly open: () => DatabaseSource;
}

/**
 * Runs the migrations, and analyses the metadata on the result.
 * @returns the problems of an invalid project
 * @throws EngineError if files cannot be read, SQL fails or a source cannot be tested
 */
export async function testDatabases(
  settings: Settings,
  newDatabase: NewDatabase,
): Promise<TestDatabases | { readonly problems: readonly Problem[] }> {
  const files = await readCatalog(settings.metadataPath);
  if ("diagnostic" in files) return { problems: [diagnosticProblem(files.diagnostic, files.place)] };
  refuseOtherKinds(files);
  const sqlFiles = await databaseFiles(settings);
  const sources = new Map<string, TestSource & { readonly url: string }>();
  const introspections = new Map<string, SourceIntrospection>();
  for (const source of files.catalog.sources) {
    const made = await makeDatabase(source, sqlFiles.get(source.name), newDatabase);
    introspections.set(source.name, { shape: made.shape });
    sources.set(source.name, { ...made, open: () => openDatabase(source, made.url, settings) });
  }
  const { metadataPath: metadata, environment } = settings;
  const program = await analyzeCatalog(files, introspections, { metadata }, environment);
  if ("problems" in program) return program;
  return {
    program,
    introspections,
    sources,
    async open() {
      const opened = new Map<string, DatabaseSource>();
      for (const source of files.catalog.sources) {
        const copy = await newDatabase(sources.get(source.name)?.url);
        opened.set(source.name, openDatabase(source, copy, settings));
      }
      return opened;
    },
  };
}

function refuseOtherKinds({ catalog, place }: CatalogFiles): void {
  const index = catalog.sources.findIndex(({ kind }) => kind !== scratchKind);
  const source = catalog.sources[index];
  if (source === undefined) return;
  const at = place(`$.sources[${index}]`);
  const message = `${at}: permission tests run on PostgreSQL only, and database ${source.name} is of kind ${source.kind}`;
  throw new EngineError("not-supported", "$", message);
}

async function makeDatabase(
  source: Source,
  { migrations, seeds }: DatabaseFiles = { migrations: [], seeds: [] },
  newDatabase: NewDatabase,
) {
  const url = await newDatabase();
  await runFiles(url, migrations);
  // Values of enum tables may be seeds, and are part of the schema.
  const seeded = seeds.length === 0 ? url : await newDatabase(url);
  if (seeds.length > 0) await runFiles(seeded, seeds);
  const shape = await introspectUrl(seeded, scratchKind, enumTables(source));
  return { url, shape, seeds, resetSequences: await readSequences(url) };
}

// cspell:ignore sequencename
const sequencesStatement = `select coalesce('select ' || string_agg(format('pg_catalog.setval(%L::regclass, %s, %L)',
  format('%I.%I', schemaname, sequencename), coalesce(last_value, start_value), last_value is not null), ', '), '')
  from pg_catalog.pg_sequences`;

async function readSequences(url: string): Promise<string> {
  const connectionInfo = { database_url: url, pool_settings: { max_connections: 1 } };
  const database = openSource({ name: "scratch", kind: scratchKind, connectionInfo }, { variables: {} });
  try {
    const [[sql] = []] = await database.query({ text: sequencesStatement }, []);
    return sql ?? "";
  } finally {
    await database.close();
  }
}

/** Opens a database with the settings of its source that affect results. */
function openDatabase({ name, kind, configuration }: Source, url: string, { environment }: Settings): DatabaseSource {
  const options = parseOptions({}, environment);
  const { connection_info: given } = configuration as { readonly connection_info?: unknown };
  const { isolation_level = options.isolationLevel } = isObject(given) ? given : {};
  const connectionInfo = { database_url: url, isolation_level, pool_settings: { max_connections: 1 } };
  const { headerAlias: alias } = options;
  return openSource(
    { name, kind, connectionInfo },
    { variables: {}, ...(alias !== null && { otherUserSetting: userSetting(alias) }) },
  );
}
