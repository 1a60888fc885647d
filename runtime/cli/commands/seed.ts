/** `engine seed …`: creates seeds and runs them. Each command resolves to its exit code. */

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { EngineError } from "../../values/errors.ts";
import { messageOf } from "../../values/message-of.ts";
import { folderName } from "../migrations/create-migration.ts";
import { databasesWithFiles } from "../migrations/migration-files.ts";
import { runSqlFile } from "../migrations/run-steps.ts";
import { readSeeds } from "../migrations/seed-files.ts";
import { locateSqlFailure } from "../migrations/sql-failure.ts";
import {
  type DatabaseFlags,
  databasesOfServer,
  type TargetDatabase,
  targetDatabases,
} from "../migrations/target-databases.ts";
import { type CallMetadata, withServer } from "../project/client.ts";
import { printRemark, printResult, printSteps, recordResult } from "../project/output.ts";
import { type GlobalFlags, readSettings, type Settings } from "../project/settings.ts";

export interface ApplySeedsOptions extends GlobalFlags, DatabaseFlags {
  readonly file?: readonly string[];
}

/** Runs seeds, each file in one transaction, until the first failure. */
export async function applySeedsCommand(options: ApplySeedsOptions): Promise<number> {
  const settings = await readSettings(options, process.env);
  const { seedsPath } = settings;
  const ran: string[] = [];
  recordResult({ ran });
  await withServer(settings, async (call) => {
    const withFiles = await databasesWithFiles(seedsPath);
    for (const database of targetDatabases(await databasesOfServer(call), withFiles, options)) {
      ran.push(...(await runSeeds(call, database, seedsPath, options.file)));
    }
  });
  return 0;
}

/**
 * Runs the seeds of all databases that have some.
 * @throws EngineError with file and line of the failure
 */
export async function runAllSeeds(call: CallMetadata, { seedsPath }: Pick<Settings, "seedsPath">): Promise<void> {
  const withSeeds = await databasesWithFiles(seedsPath);
  for (const database of targetDatabases(await databasesOfServer(call), withSeeds, { allDatabases: true })) {
    await runSeeds(call, database, seedsPath);
  }
}

/**
 * @returns the paths of the seeds
 * @throws EngineError with file and line of the failure
 */
async function runSeeds(
  call: CallMetadata,
  database: TargetDatabase,
  seedsPath: string,
  names?: readonly string[],
): Promise<readonly string[]> {
  const seeds = await readSeeds(seedsPath, database.name, names);
  if (seeds.length === 0) printRemark(`no seeds for ${database.name}`);
  for (const seed of seeds) {
    try {
      await runSqlFile(call, database, seed, { transaction: true, checkMetadata: false });
    } catch (error) {
      throw locateSqlFailure(error, seed);
    }
    printSteps(`ran ${seed.path}\n`);
  }
  return seeds.map(({ path }) => path);
}

export interface CreateSeedOptions extends GlobalFlags {
  readonly databaseName?: string;
  readonly fromTable?: readonly string[];
}

/** Creates the file of a seed, which is empty or contains the rows of the server's tables, and prints its path. */
export async function createSeedCommand(name: string, options: CreateSeedOptions): Promise<number> {
  const settings = await readSettings(options, process.env);
  const database = options.databaseName ?? "default";
  const tables = options.fromTable ?? [];
  const rows = ["--data-only", "--column-inserts", ...tables.flatMap((table) => ["--table", table])];
  const sql = tables.length === 0 ? "" : await withServer(settings, (_, dump) => dump(database, rows));
  const folder = join(settings.seedsPath, database);
  const path = join(folder, `${Date.now()}_${folderName(name)}.sql`);
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(path, sql, { flag: "wx" });
  } catch (error) {
    const reason = messageOf(error);
    throw new EngineError("unwritable", "$", `cannot write ${path}: ${reason}`, { cause: error });
  }
  printResult(`${path}\n`, { path });
  return 0;
}
