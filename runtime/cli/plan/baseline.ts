/** Reads the state before a deployment, from a server or another version of the project. */
import { type Catalog, emptyCatalog } from "../../../compiler/catalog/catalog.ts";
import type { QualifiedName, Source } from "../../../compiler/catalog/model.ts";
import { readMetadataDocument } from "../../../compiler/catalog/upgrade.ts";
import { EngineError } from "../../values/errors.ts";
import { readValidFiles } from "../metadata/metadata-files.ts";
import { AppliedState, type AppliedVersions } from "../migrations/applied-state.ts";
import { type Migration, readMigrations } from "../migrations/migration-files.ts";
import { planMigrations, sqlOf } from "../migrations/plan.ts";
import type { SqlFile } from "../migrations/sql-failure.ts";
import { diagnosticProblem, problem } from "../problem.ts";
import { type CallMetadata, type DumpSource, exportedBy } from "../project/client.ts";
import { printProblems } from "../project/output.ts";
import type { Settings } from "../project/settings.ts";

export interface Baseline {
  /** Name in messages. */
  readonly name: string;
  readonly catalog: Catalog;
  applied(database: string): AppliedVersions;
  /** Returns SQL that recreates the database in an empty database. */
  schemaOf(source: Source, enumTables: readonly QualifiedName[]): Promise<readonly SqlFile[]>;
}

/**
 * Reads a server without changing it.
 * @param settings settings of the project to deploy
 * @throws EngineError if the server is unreachable or refuses a call
 */
export async function serverBaseline(call: CallMetadata, dump: DumpSource, settings: Settings): Promise<Baseline> {
  const state = await AppliedState.read(call);
  const { metadata } = await exportedBy(call);
  const read = readMetadataDocument(metadata, emptyCatalog);
  if (!read.ok) {
    const { line } = diagnosticProblem(read.error, (path) => path);
    throw new EngineError("unexpected", "$", `cannot read the metadata of ${settings.endpoint}: ${line}`);
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
        printProblems([
          problem(
            "warning",
            "note",
            `cannot dump database ${name}; planning with its migrations instead: ${error.message}`,
          ),
        ]);
        return filesOfApplied(await readMigrations(settings.migrationsPath, name), state.of(name));
      }
    },
  };
}

/** @throws EngineError for applied versions without files */
function filesOfApplied(migrations: readonly Migration[], applied: AppliedVersions): readonly SqlFile[] {
  const squashed = migrations.filter(
    ({ replaces }) => replaces.size > 0 && [...replaces.keys()].every((v) => applied.has(v)),
  );
  const present = migrations.filter((each) => applied.has(each.version) || squashed.includes(each));
  const known = new Set(present.flatMap(({ version, replaces }) => [version, ...replaces.keys()]));
  const unknown = [...applied.keys()].filter((version) => !known.has(version));
  if (unknown.length > 0) {
    throw new EngineError(
      "not-found",
      "$",
      `the project lacks the files of migrations that the server has applied: ${unknown.join(", ")}`,
    );
  }
  return present.map(({ up }) => up).filter((file) => file !== undefined);
}

const schemaOptions = [
  ...["--schema-only", "--no-owner", "--no-privileges", "--no-publications", "--no-subscriptions", "--no-tablespaces"],
  "--exclude-schema=engine_catalog",
];

/** The rows of enum tables become values of GraphQL types. */
const rowOptions = ["--data-only", "--column-inserts"];

const tableOption = ({ schema, name }: QualifiedName): readonly string[] => [
  "--table",
  `${quoted(schema)}.${quoted(name)}`,
];

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/**
 * Reads another version of the project, with all of its migrations applied.
 * @throws InvalidFiles, EngineError if its files cannot be read
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
