/** `engine migrate …`: creates migrations and applies them to a server's databases. Each resolves to its exit code. */

import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { ConfigurationError } from "../../config/configuration-error.ts";
import { EngineError } from "../../values/errors.ts";
import { messageOf } from "../../values/message-of.ts";
import { AppliedState, type AppliedVersions } from "../migrations/applied-state.ts";
import { nextVersion, writeMigration } from "../migrations/create-migration.ts";
import {
  type Direction,
  databasesWithFiles,
  type Migration,
  parseVersion,
  readMigrations,
} from "../migrations/migration-files.ts";
import { type MigrationRequest, type MigrationStep, planMigrations } from "../migrations/plan.ts";
import { runSteps } from "../migrations/run-steps.ts";
import { squash } from "../migrations/squash.ts";
import { migrationStatus } from "../migrations/status.ts";
import {
  type DatabaseFlags,
  databasesOfServer,
  type TargetDatabase,
  targetDatabases,
} from "../migrations/target-databases.ts";
import { type LockRequest, readLockTimeout, withToolLock } from "../migrations/tool-lock.ts";
import type { Format } from "../project/choices.ts";
import { type CallMetadata, withServer } from "../project/client.ts";
import { formatted, printDone, printRemark, printResult, printSteps, recordResult } from "../project/output.ts";
import { type GlobalFlags, readSettings, type Settings } from "../project/settings.ts";

// ---------------------------------------------------------------- apply

export interface ApplyOptions extends GlobalFlags, DatabaseFlags {
  readonly up?: string;
  readonly down?: string;
  readonly goto?: string;
  readonly version?: string;
  readonly type?: Direction;
  readonly skipExecution?: boolean;
  readonly dryRun?: boolean;
  /** If false, statements run one by one. */
  readonly transaction?: boolean;
  /** In seconds. */
  readonly lockTimeout: string;
}

/** Migrates databases to the selected versions; by default, to the last version in the files. */
export async function applyMigrationsCommand(options: ApplyOptions): Promise<number> {
  const settings = await readSettings(options, process.env);
  const request = requestOf(options);
  const steps: object[] = [];
  const record = (name: string, { migration, action }: MigrationStep): void => {
    steps.push({ database: name, version: migration.version, name: migration.name, action });
    recordResult({ dry_run: options.dryRun === true, steps });
  };
  recordResult({ dry_run: options.dryRun === true, steps });
  await withServer(settings, async (call) => {
    if (options.dryRun) {
      const state = await AppliedState.read(call);
      for (const database of await targets(call, settings, options)) {
        const planned = planMigrations(
          await readMigrations(settings.migrationsPath, database.name),
          state.of(database.name),
          request,
        );
        printSteps(planned.map((step) => `would ${describe(step)} on ${database.name}\n`).join(""));
        for (const step of planned) record(database.name, step);
        if (planned.length === 0) printRemark(`nothing to do on ${database.name}`);
      }
      return;
    }
    await withToolLock(call, lockFor("engine migrate apply", options), async (ensureAlone) => {
      const state = await AppliedState.read(call);
      for (const database of await targets(call, settings, options)) {
        const migrations = await readMigrations(settings.migrationsPath, database.name);
        const planned = planMigrations(migrations, state.of(database.name), request);
        if (planned.length === 0) printRemark(`nothing to do on ${database.name}`);
        await runSteps(call, state, database, planned, {
          skipExecution: options.skipExecution ?? false,
          transaction: options.transaction ?? true,
          ensureAlone,
          onStep: (_, step) => {
            printSteps(`${done(step, options)} on ${database.name}\n`);
            record(database.name, step);
          },
        });
      }
    });
  });
  return 0;
}

function lockFor(command: string, { lockTimeout }: { readonly lockTimeout: string }): LockRequest {
  return { command, waitSeconds: readLockTimeout(lockTimeout) };
}

async function targets(
  call: CallMetadata,
  settings: Settings,
  flags: DatabaseFlags,
): Promise<readonly TargetDatabase[]> {
  return targetDatabases(await databasesOfServer(call), await databasesWithFiles(settings.migrationsPath), flags);
}

function requestOf({ up, down, goto, version, type }: ApplyOptions): MigrationRequest {
  const given = Object.entries({ "--up": up, "--down": down, "--goto": goto, "--version": version });
  const [one, another] = given.filter(([, value]) => value !== undefined).map(([flag]) => flag);
  if (another !== undefined) throw wrong(another, `cannot be used with ${one}`);
  if (type !== undefined && version === undefined) throw wrong("--type", "requires --version");
  if (up !== undefined) return { kind: "up", count: wholeNumber("--up", up) };
  if (down !== undefined) return { kind: "down", count: wholeNumber("--down", down) };
  if (goto !== undefined) return { kind: "goto", version: versionFlag("--goto", goto) };
  if (version === undefined) return { kind: "pending" };
  return { kind: "version", version: versionFlag("--version", version), direction: type ?? "up" };
}

function wrong(setting: string, message: string): ConfigurationError {
  return new ConfigurationError([{ setting, message }]);
}

function wholeNumber(setting: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw wrong(setting, `expected a whole number, but found ${JSON.stringify(text)}`);
}

function versionFlag(setting: string, text: string): string {
  const version = parseVersion(text);
  if (version !== undefined) return version;
  throw wrong(setting, `expected the version of a migration, a whole number, but found ${JSON.stringify(text)}`);
}

function title({ version, name }: Migration): string {
  return name === "" ? version : `${version}_${name}`;
}

function describe({ migration, action }: MigrationStep): string {
  const verb = { up: "apply", down: "revert", adopt: "mark as applied, since all replaced migrations are applied," }[
    action
  ];
  return `${verb} ${title(migration)}`;
}

function done({ migration, action }: MigrationStep, { skipExecution = false }: ApplyOptions): string {
  if (action === "adopt") return `marked ${title(migration)} as applied, since all replaced migrations were applied,`;
  if (skipExecution) return `marked ${title(migration)} as ${action === "up" ? "applied" : "not applied"}`;
  return `${action === "up" ? "applied" : "reverted"} ${title(migration)}`;
}

// ---------------------------------------------------------------- status

export interface StatusOptions extends GlobalFlags, DatabaseFlags {
  readonly output?: Format;
}

/** Prints one line for each migration of the files or the server. */
export async function migrationStatusCommand(options: StatusOptions): Promise<number> {
  const settings = await readSettings(options, process.env);
  const rows = await withServer(settings, async (call) => {
    const state = await AppliedState.read(call);
    const found: StatusRow[] = [];
    for (const { name } of await targets(call, settings, options)) {
      found.push(...statusRows(name, await readMigrations(settings.migrationsPath, name), state.of(name)));
    }
    return found;
  });
  const values = rows.map((row) => ({ ...row }));
  printResult(options.output === undefined ? statusTable(rows) : formatted(values, options.output), values);
  return 0;
}

interface StatusRow {
  readonly database: string;
  readonly version: string;
  readonly name: string;
  /** `Present` if the project has its files. */
  readonly source_status: "Present" | "Not Present";
  readonly database_status: "Present" | "Not Present" | "Unfinished";
}

const databaseStatus = { applied: "Present", pending: "Not Present", unfinished: "Unfinished" } as const;

function statusRows(database: string, migrations: readonly Migration[], applied: AppliedVersions): StatusRow[] {
  return migrationStatus(migrations, applied).map(({ version, migration, state }) => ({
    database,
    version,
    name: migration?.name ?? "-",
    source_status: migration === undefined ? "Not Present" : "Present",
    database_status: databaseStatus[state],
  }));
}

function statusTable(rows: readonly StatusRow[]): string {
  const head = ["VERSION", "NAME", "SOURCE STATUS", "DATABASE STATUS"];
  const several = new Set(rows.map(({ database }) => database)).size > 1;
  const cells = [head, ...rows.map((row) => [row.version, row.name, row.source_status, row.database_status])];
  const lines = cells.map((line, index) =>
    several ? [index === 0 ? "DATABASE" : (rows[index - 1]?.database ?? ""), ...line] : line,
  );
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map(
      (line) =>
        `${line
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join("  ")
          .trimEnd()}\n`,
    )
    .join("");
}

// ---------------------------------------------------------------- create

export interface CreateOptions extends GlobalFlags {
  readonly databaseName?: string;
  readonly fromServer?: boolean;
  readonly schema?: string;
  readonly sqlFromFile?: string;
  readonly upSql?: string;
  readonly downSql?: string;
}

/** Creates the folder of a new migration, and prints its version. */
export async function createMigrationCommand(name: string, options: CreateOptions): Promise<number> {
  const settings = await readSettings(options, process.env);
  const database = options.databaseName ?? (await onlyFolder(settings));
  const sources = {
    "--from-server": options.fromServer,
    "--sql-from-file": options.sqlFromFile,
    "--up-sql": options.upSql,
  };
  const [one, another] = Object.entries(sources).filter(([, value]) => value !== undefined);
  if (one !== undefined && another !== undefined) throw wrong(another[0], `cannot be used with ${one[0]}`);
  if (options.schema !== undefined && !options.fromServer) throw wrong("--schema", "requires --from-server");
  const up = await upSql(database, settings, options);
  const version = await nextVersion(settings.migrationsPath, database);
  const down = options.downSql === undefined ? "" : `${options.downSql}\n`;
  const folder = await writeMigration(join(settings.migrationsPath, database), { version, name, up, down });
  printRemark(`created ${folder}`);
  if (options.fromServer) {
    printRemark(
      `the server's database already contains it; mark it as applied with \`engine migrate apply --version ${version} --skip-execution --database-name ${database}\``,
    );
  }
  printResult(`${version}\n`, { version, folder });
  return 0;
}

/** Returns the only database that has migrations, or `default` if none has any. Does not call the server. */
async function onlyFolder({ migrationsPath }: Settings): Promise<string> {
  const [only = "default", ...others] = await databasesWithFiles(migrationsPath);
  if (others.length === 0) return only;
  throw wrong("--database-name", `required, since several databases have migrations: ${[only, ...others].join(", ")}`);
}

async function upSql(database: string, settings: Settings, options: CreateOptions): Promise<string> {
  if (options.fromServer) {
    const schemas = (options.schema ?? "public").split(",").flatMap((schema) => ["--schema", schema.trim()]);
    return withServer(settings, (_, dump) =>
      dump(database, ["--schema-only", "--no-owner", "--no-privileges", ...schemas]),
    );
  }
  if (options.sqlFromFile !== undefined) return textOfFlag("--sql-from-file", options.sqlFromFile);
  return options.upSql === undefined ? "" : `${options.upSql}\n`;
}

async function textOfFlag(flag: string, path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw wrong(flag, `cannot read ${path}: ${messageOf(error)}`);
  }
}

// ---------------------------------------------------------------- squash

export interface SquashOptions extends GlobalFlags {
  readonly from: string;
  readonly to?: string;
  readonly name: string;
  readonly databaseName?: string;
  readonly deleteSource?: boolean;
}

/**
 * Combines several migrations into one. Servers that have applied all of the combined migrations treat it as applied.
 */
export async function squashMigrationsCommand(options: SquashOptions): Promise<number> {
  const settings = await readSettings(options, process.env);
  const database = options.databaseName ?? (await onlyFolder(settings));
  const migrations = await readMigrations(settings.migrationsPath, database);
  const { sources, result } = squash(migrations, {
    from: versionFlag("--from", options.from),
    to: options.to === undefined ? undefined : versionFlag("--to", options.to),
    name: options.name,
  });
  const folder = await writeMigration(join(settings.migrationsPath, database), result);
  printRemark(`created ${folder} from ${sources.map(title).join(", ")}`);
  if (options.deleteSource) {
    for (const source of sources) await rm(source.folder, { recursive: true });
  } else {
    printRemark(
      "delete the folders of the combined migrations before the next `engine migrate apply`, or squash with --delete-source",
    );
  }
  printResult(`${result.version}\n`, { version: result.version, folder, squashed: sources.map(title) });
  return 0;
}

// ---------------------------------------------------------------- delete

export interface DeleteOptions extends GlobalFlags, DatabaseFlags {
  readonly all?: boolean;
  readonly version?: string;
  /** If true, only the marks on the server are deleted, and files are kept. */
  readonly server?: boolean;
  readonly force?: boolean;
  readonly lockTimeout: string;
}

/** Deletes files of migrations and their marks on the server. Databases are not changed. */
export async function deleteMigrationsCommand(options: DeleteOptions): Promise<number> {
  if ((options.all === true) === (options.version !== undefined)) {
    throw wrong("--version", "pass either --version or --all");
  }
  const version = options.version === undefined ? undefined : versionFlag("--version", options.version);
  const settings = await readSettings(options, process.env);
  return withServer(settings, async (call) => {
    const [database] = await targets(call, settings, options);
    if (database === undefined) return 0;
    const isSelected = (each: string): boolean => version === undefined || each === version;
    const files = options.server ? [] : await readMigrations(settings.migrationsPath, database.name);
    const deleted = files.filter((migration) => isSelected(migration.version));
    const subject =
      version === undefined ? `all migrations of ${database.name}` : `migration ${version} of ${database.name}`;
    const where = options.server ? "from the server" : "from the server and the project";
    if (!(await confirmed(`Delete ${subject} ${where}?`, options))) return 1;
    const unmarked = await withToolLock(call, lockFor("engine migrate delete", options), async () => {
      const state = await AppliedState.read(call);
      const found = [...state.of(database.name).keys()].filter(isSelected);
      await state.change(database.name, (versions) => {
        for (const each of found) versions.delete(each);
      });
      return found;
    });
    for (const { folder } of deleted) await rm(folder, { recursive: true });
    if (version !== undefined && unmarked.length + deleted.length === 0) {
      throw new EngineError("not-found", "$", `neither files nor the server have migration ${version}`);
    }
    recordResult({ database: database.name, files: deleted.map(title), unmarked });
    printDone(`deleted ${subject} ${where}`);
    return 0;
  });
}

/** @throws ConfigurationError without a terminal and without `--force` */
export async function confirmed(question: string, { force = false }: { readonly force?: boolean }): Promise<boolean> {
  if (force) return true;
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw new ConfigurationError([
      { setting: "--force", message: `required to confirm without a terminal: ${question}` },
    ]);
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}
