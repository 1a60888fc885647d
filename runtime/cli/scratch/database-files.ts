/** The SQL of a project, by database: what makes a database of an empty one. */

import { databasesWithFiles, readMigrations } from "../migrations/migration-files.ts";
import { planMigrations, sqlOf } from "../migrations/plan.ts";
import { readSeeds } from "../migrations/seed-files.ts";
import type { SqlFile } from "../migrations/sql-file.ts";
import type { Settings } from "../project/settings.ts";

export interface DatabaseFiles {
  /** In the order in which an empty database gets them. */
  readonly migrations: readonly SqlFile[];
  readonly seeds: readonly SqlFile[];
}

/**
 * By the name of the database; of each that has a folder.
 * @throws EngineError for folders that are no migrations, and files that cannot be read
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
