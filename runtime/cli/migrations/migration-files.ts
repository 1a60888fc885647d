/**
 * Migrations as files: `<migrations>/<database>/<version>_<name>/{up,down}.sql`. The version is a whole number, by
 * which they are ordered. A file `replaces` lists, a line each, the versions that a squashed migration stands for; those
 * that were squashed themselves with theirs: `30 = 10 20`.
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { EngineError } from "../../values/errors.ts";
import { textOf } from "../metadata-directory/load-files.ts";
import { legacySql } from "./legacy-steps.ts";
import type { SqlFile } from "./sql-file.ts";

export interface Migration {
  /** Digits, without zeros before them. */
  readonly version: string;
  readonly name: string;
  readonly folder: string;
  readonly up: SqlFile | undefined;
  readonly down: SqlFile | undefined;
  /** What this one stands for, each with the versions that were not squashed; empty unless it is squashed itself. */
  readonly replaces: Replaced;
}

export type Replaced = ReadonlyMap<string, readonly string[]>;

export type Direction = "up" | "down";

/** For `sort`: ascending. Versions have more digits than a number holds. */
export function compareVersions(a: string, b: string): number {
  return a.length === b.length ? (a < b ? -1 : Number(a > b)) : a.length - b.length;
}

/** Without zeros before it; `undefined` for what is no version. */
export function parseVersion(text: string): string | undefined {
  return /^\d{1,40}$/.test(text) ? text.replace(/^0+(?=\d)/, "") : undefined;
}

/** Databases that have a folder, sorted by name. A folder of migrations that is missing has none. */
export async function databasesWithFiles(migrationsPath: string): Promise<readonly string[]> {
  const folders = await foldersIn(migrationsPath);
  const stray = folders.find((name) => /^\d+_/.test(name));
  if (stray !== undefined) {
    throw invalid(
      join(migrationsPath, stray),
      "belongs to no database: move it to a folder with the name of its database",
    );
  }
  return folders;
}

/**
 * The migrations of a database, by version.
 * @throws EngineError for folders that are no migrations, and versions that there are twice
 */
export async function readMigrations(migrationsPath: string, database: string): Promise<readonly Migration[]> {
  const parent = join(migrationsPath, database);
  const migrations: Migration[] = [];
  for (const folder of await foldersIn(parent)) migrations.push(await readMigration(join(parent, folder), folder));
  migrations.sort((a, b) => compareVersions(a.version, b.version));
  for (const [index, { version, folder }] of migrations.entries()) {
    const next = migrations[index + 1];
    if (next?.version === version) throw invalid(next.folder, `has the version of ${folder}`);
  }
  return migrations;
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
  if (version === undefined) throw invalid(folder, "is no migration: its name has to be <version>_<name>");
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
      throw invalid(`${path}:${index + 1}`, "is no list of versions");
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

/** Whether its text has anything but comments and blanks. */
export function hasStatement(file: SqlFile | undefined): file is SqlFile {
  return file !== undefined && file.sql.replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, "").trim() !== "";
}

function invalid(path: string, problem: string): EngineError {
  return new EngineError("parse-failed", "$", `${path} ${problem}`);
}
