/**
 * Reads migrations: `<migrations>/<database>/<version>_<name>/{up,down}.sql`, ordered by version, a whole number. In a
 * squashed migration, the file `replaces` lists the replaced versions, one per line. For a replaced version that was
 * itself squashed, the line includes the versions that it replaces: `30 = 10 20`.
 */
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Locations } from "../../metadata-text/locations.ts";
import { EngineError } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import { FileLoader, textOf } from "../metadata-directory/load-files.ts";
import type { SqlFile } from "./sql-failure.ts";

export interface Migration {
  /** Digits without leading zeros. */
  readonly version: string;
  readonly name: string;
  readonly folder: string;
  readonly up: SqlFile | undefined;
  readonly down: SqlFile | undefined;
  /** Replaced versions, each with the original versions that it contains; empty if this migration is not squashed. */
  readonly replaces: Replaced;
}

export type Replaced = ReadonlyMap<string, readonly string[]>;

export type Direction = "up" | "down";

/** Compares as text, because versions can exceed the range of numbers. */
export function compareVersions(a: string, b: string): number {
  return a.length === b.length ? (a < b ? -1 : Number(a > b)) : a.length - b.length;
}

/** Returns the version without leading zeros, or `undefined` for any other text. */
export function parseVersion(text: string): string | undefined {
  return /^\d{1,40}$/.test(text) ? text.replace(/^0+(?=\d)/, "") : undefined;
}

/** Returns databases that have a folder, sorted by name; empty if `migrationsPath` is missing. */
export async function databasesWithFiles(migrationsPath: string): Promise<readonly string[]> {
  const folders = await foldersIn(migrationsPath);
  const stray = folders.find((name) => /^\d+_/.test(name));
  if (stray !== undefined) {
    throw invalid(
      join(migrationsPath, stray),
      "belongs to no database: move it into a folder named after its database",
    );
  }
  return folders;
}

/**
 * Returns the migrations of a database, sorted by version.
 * @throws EngineError for folders that are not migrations, and for duplicate versions
 */
export async function readMigrations(migrationsPath: string, database: string): Promise<readonly Migration[]> {
  const parent = databaseFolder(migrationsPath, database);
  const migrations: Migration[] = [];
  for (const folder of await foldersIn(parent)) migrations.push(await readMigration(join(parent, folder), folder));
  migrations.sort((a, b) => compareVersions(a.version, b.version));
  for (const [index, { version, folder }] of migrations.entries()) {
    const next = migrations[index + 1];
    if (next?.version === version) throw invalid(next.folder, `has the same version as ${folder}`);
  }
  return migrations;
}

/**
 * Returns the folder with the migrations of a database.
 * @throws EngineError for a name that is not one folder's name: metadata accepts any name
 */
export function databaseFolder(migrationsPath: string, database: string): string {
  if (database === "" || /[/\\\0]/.test(database) || database.startsWith(".")) {
    const message = `the database ${JSON.stringify(database)} cannot have migrations, because its name is not that of a folder`;
    throw new EngineError("bad-request", "$", message);
  }
  return join(migrationsPath, database);
}

async function foldersIn(parent: string): Promise<string[]> {
  const entries = await readdir(parent, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw new EngineError("unexpected", "$", `cannot read ${parent}: ${error.code ?? error.message}`, { cause: error });
  });
  const folders = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith("."));
  return folders.map(({ name }) => name).sort();
}

async function readMigration(folder: string, folderName: string): Promise<Migration> {
  const [, digits = "", name = ""] = /^(\d+)(?:_(.*))?$/s.exec(folderName) ?? [];
  const version = parseVersion(digits);
  if (version === undefined) throw invalid(folder, "is not a migration: its name must be <version>_<name>");
  const [up, down] = await Promise.all([readSql(folder, "up"), readSql(folder, "down")]);
  if (up === undefined && down === undefined) throw invalid(folder, "has neither up.sql nor down.sql");
  return { version, name, folder, up, down, replaces: await readReplaced(folder) };
}

async function readSql(folder: string, direction: Direction): Promise<SqlFile | undefined> {
  const path = join(folder, `${direction}.sql`);
  const sql = await textOf(path);
  return sql === undefined ? legacySql(join(folder, `${direction}.yaml`)) : { path, sql };
}

async function readReplaced(folder: string): Promise<Replaced> {
  const path = join(folder, "replaces");
  const replaced = new Map<string, readonly string[]>();
  for (const [index, line] of ((await textOf(path)) ?? "").split(/\r?\n/).entries()) {
    if (line.trim() === "") continue;
    const [version, ...parts] = line.replace("=", " ").trim().split(/\s+/).map(parseVersion);
    if (version === undefined || parts.includes(undefined))
      throw invalid(`${path}:${index + 1}:`, "expected a list of versions");
    replaced.set(version, parts.length === 0 ? [version] : parts.filter((part) => part !== undefined));
  }
  return replaced;
}

export function replacedText(replaced: Replaced): string {
  const lines = [...replaced].map(([version, parts]) =>
    parts.length === 1 && parts[0] === version ? version : `${version} = ${parts.join(" ")}`,
  );
  return lines.map((line) => `${line}\n`).join("");
}

/** Returns true if the text contains more than comments and blanks. */
export function hasStatement(file: SqlFile | undefined): file is SqlFile {
  return file !== undefined && file.sql.replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, "").trim() !== "";
}

function invalid(path: string, problem: string): EngineError {
  return new EngineError("parse-failed", "$", `${path} ${problem}`);
}

/**
 * Reads `up.yaml` or `down.yaml` of older projects: a list of `run_sql` operations. Other operations are refused.
 * @throws EngineError for operations that change metadata, which belongs in the metadata directory
 */
async function legacySql(path: string): Promise<SqlFile | undefined> {
  const read = await new FileLoader(dirname(path), new Locations()).read(path);
  if (read === undefined) return undefined;
  const steps: readonly unknown[] = Array.isArray(read.value) ? read.value : [read.value];
  const texts = steps.map((step) => {
    const { type, args } = isObject(step) ? step : {};
    if (type === "run_sql" && isObject(args) && typeof args.sql === "string") return args.sql;
    const found = typeof type === "string" ? `the operation ${type}` : "an item that is not an operation";
    throw new EngineError(
      "not-supported",
      "$",
      `${path} contains ${found}: only run_sql is supported; move metadata to the metadata directory and SQL to ${path.replace(/\.yaml$/, ".sql")}`,
    );
  });
  return { path, sql: texts.map((text) => (text.trimEnd().endsWith(";") ? text : `${text};`)).join("\n") };
}
