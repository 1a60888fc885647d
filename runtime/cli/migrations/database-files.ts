/** Reads the SQL files from which a project builds its databases. */

import type { Settings } from "../project/settings.ts";
import { databasesWithFiles, readMigrations } from "./migration-files.ts";
import { planMigrations, sqlOf } from "./plan.ts";
import { readSeeds } from "./seed-files.ts";
import type { SqlFile } from "./sql-failure.ts";

export interface DatabaseFiles {
  /** In execution order. */
  readonly migrations: readonly SqlFile[];
  readonly seeds: readonly SqlFile[];
}

/**
 * Returns the files of each database that has a folder.
 * @throws EngineError for folders that are not migrations, and for files that cannot be read
 */
export async function databaseFiles({
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
