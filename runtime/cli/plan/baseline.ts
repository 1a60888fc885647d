/** What a deployment starts from: the metadata and the databases of a server, or of another version of the project. */
import { type Catalog, emptyCatalog } from "../../../compiler/catalog/catalog.ts";
import type { QualifiedName, Source } from "../../../compiler/catalog/model.ts";
import { readMetadataDocument } from "../../../compiler/catalog/upgrade.ts";
import { EngineError } from "../../values/errors.ts";
import { exportedBy } from "../handlers/handlers-input.ts";
import { readValidFiles } from "../metadata/metadata-files.ts";
import { AppliedState, type AppliedVersions } from "../migrations/applied-state.ts";
import { type Migration, readMigrations } from "../migrations/migration-files.ts";
import { planMigrations, sqlOf } from "../migrations/plan.ts";
import type { SqlFile } from "../migrations/sql-file.ts";
import { diagnosticText } from "../problem-text.ts";
import type { CallMetadata, DumpSource } from "../project/client.ts";
import { printProblems } from "../project/output.ts";
import type { Settings } from "../project/settings.ts";

export interface Baseline {
  /** As messages show it. */
  readonly name: string;
  readonly catalog: Catalog;
  /** Which migrations a database has. */
  applied(database: string): AppliedVersions;
  /** SQL that makes a database like the one there is of an empty one. */
  schemaOf(source: Source, enumTables: readonly QualifiedName[]): Promise<readonly SqlFile[]>;
}

/**
 * Nothing of the server is changed.
 * @param settings of the project that is to be deployed
 * @throws EngineError when the server cannot be asked
 */
export async function serverBaseline(call: CallMetadata, dump: DumpSource, settings: Settings): Promise<Baseline> {
  const state = await AppliedState.read(call);
  const { metadata } = await exportedBy(call);
  const read = readMetadataDocument(metadata, emptyCatalog);
  if (!read.ok) {
    const problem = diagnosticText(read.error, (path) => path);
    throw new EngineError("unexpected", "$", `the metadata of ${settings.endpoint} cannot be read: ${problem}`);
  }
  return {
    name: settings.endpoint,
    catalog: read.value,
    applied: (database) => state.of(database),
    schemaOf: async ({ name }, enums) => {
      try {
        const schema = await dump(name, schemaOptions);
        const rows = enums.length === 0 ? "" : await dump(name, [...rowOptions, ...enums.flatMap(tableOption)]);
        const path = `the schema of ${name} on ${settings.endpoint}`;
        return [{ path, sql: `${schema}\n${rows}` }];
      } catch (error) {
        if (!(error instanceof EngineError) || error.code === "connection error") throw error;
        printProblems([`${name} is made of its migrations, since the server cannot dump it: ${error.message}`]);
        return filesOfApplied(await readMigrations(settings.migrationsPath, name), state.of(name));
      }
    },
  };
}

/** @throws EngineError for a version that no file makes */
function filesOfApplied(migrations: readonly Migration[], applied: AppliedVersions): readonly SqlFile[] {
  const squashed = migrations.filter(
    ({ replaces }) => replaces.size > 0 && [...replaces.keys()].every((v) => applied.has(v)),
  );
  const there = migrations.filter((each) => applied.has(each.version) || squashed.includes(each));
  const known = new Set(there.flatMap(({ version, replaces }) => [version, ...replaces.keys()]));
  const unknown = [...applied.keys()].filter((version) => !known.has(version));
  if (unknown.length > 0) {
    throw new EngineError(
      "not-found",
      "$",
      `the server has migrations that the project has no files of: ${unknown.join(", ")}`,
    );
  }
  return there.map(({ up }) => up).filter((file) => file !== undefined);
}

const schemaOptions = [
  ...["--schema-only", "--no-owner", "--no-privileges", "--no-publications", "--no-subscriptions", "--no-tablespaces"],
  "--exclude-schema=engine_catalog",
];

/** The rows of enum tables are values of types. */
const rowOptions = ["--data-only", "--column-inserts"];

const tableOption = ({ schema, name }: QualifiedName): readonly string[] => [
  "--table",
  `${quoted(schema)}.${quoted(name)}`,
];

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/**
 * Another version of the project: its databases have all of its migrations.
 * @throws InvalidFiles, EngineError when its files cannot be read
 */
export async function projectBaseline(name: string, { metadataPath, migrationsPath }: Settings): Promise<Baseline> {
  const { catalog } = await readValidFiles(metadataPath);
  const migrations = new Map<string, Awaited<ReturnType<typeof readMigrations>>>();
  for (const source of catalog.sources) migrations.set(source.name, await readMigrations(migrationsPath, source.name));
  return {
    name,
    catalog,
    applied: (database) => new Map((migrations.get(database) ?? []).map(({ version }) => [version, false])),
    schemaOf: async (source) => {
      const steps = planMigrations(migrations.get(source.name) ?? [], new Map(), { kind: "pending" });
      return steps.map(sqlOf).filter((file) => file !== undefined);
    },
  };
}
