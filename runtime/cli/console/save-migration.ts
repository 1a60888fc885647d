/** Saves SQL of the console as a migration of the project, runs it, and marks it on the server. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { EngineError } from "../../values/errors.ts";
import { AppliedState } from "../migrations/applied-state.ts";
import { nextVersion, writeMigration } from "../migrations/create-migration.ts";
import { databaseFolder, type Migration, readMigrations } from "../migrations/migration-files.ts";
import { runSteps } from "../migrations/run-steps.ts";
import { withToolLock } from "../migrations/tool-lock.ts";
import type { CallMetadata } from "../project/client.ts";
import { printable } from "../project/output.ts";
import { consoleLock, databaseNamed, type MigrationsInput } from "./migrations-input.ts";

export const newMigration = z.strictObject({
  source: z.string().min(1),
  name: z.string().min(1).max(200),
  up: z.string().refine((sql) => sql.trim() !== "", "the SQL is empty"),
  /** Empty if the migration cannot be reverted. */
  down: z.string().default(""),
  /** If true, the migration is saved and marked, but not run. */
  has_run: z.boolean().default(false),
  /** If true, metadata objects that depend on dropped tables and columns are dropped too. */
  cascade: z.boolean().default(false),
});

type NewMigration = z.infer<typeof newMigration>;

interface SavedMigration {
  readonly version: string;
  /** `migrations/default/1700000000001_notes` */
  readonly folder: string;
}

/**
 * Saves SQL as a migration, runs it, and writes its effect on the metadata into the project's files.
 * @throws EngineError, InvalidFiles
 */
export async function addMigration({ settings, call, followed, print }: MigrationsInput, request: NewMigration) {
  const { done: saved, metadata } = await followed.following(call, () =>
    saveMigration(call, settings.migrationsPath, request),
  );
  print(`saved ${printable(saved.folder)}`);
  if (metadata === "written") print(`wrote ${settings.metadataPath}`);
  return { ...saved, metadata };
}

/**
 * Saves a migration and runs it, unless it has run already. Deletes its files if the SQL fails. If the SQL may have
 * been committed, the files remain and the version is marked as unfinished.
 * @throws EngineError with line, column and the database's message
 */
function saveMigration(
  call: CallMetadata,
  migrationsPath: string,
  { source, name, up, down, has_run, cascade }: NewMigration,
): Promise<SavedMigration> {
  return withToolLock(call, consoleLock, async (ensureAlone) => {
    const database = await databaseNamed(call, source);
    const state = await AppliedState.read(call);
    const version = await nextVersion(migrationsPath, source);
    const parent = databaseFolder(migrationsPath, source);
    const folder = await writeMigration(parent, { version, name, up: withEnd(up), down: withEnd(down) });
    try {
      const migration = await written(migrationsPath, source, version);
      const options = { skipExecution: has_run, transaction: true, cascade, ensureAlone, onStep: () => undefined };
      await runSteps(call, state, database, [{ migration, action: "up" }], options);
    } catch (error) {
      if (state.of(source).has(version)) throw error;
      await rm(folder, { recursive: true, force: true });
      throw withoutFolder(error, folder);
    }
    return { version, folder };
  });
}

async function written(migrationsPath: string, source: string, version: string): Promise<Migration> {
  const found = (await readMigrations(migrationsPath, source)).find((each) => each.version === version);
  if (found !== undefined) return found;
  throw new EngineError("not-found", "$", `migration ${version} of ${source} was deleted while it was being saved`);
}

function withEnd(sql: string): string {
  return sql === "" || sql.endsWith("\n") ? sql : `${sql}\n`;
}

/** Replaces the path of the deleted file in the message with the line of the SQL. */
function withoutFolder(error: unknown, folder: string): unknown {
  if (!(error instanceof EngineError)) return error;
  const [first = error.message] = error.message.split("\n");
  const reason = first.replace(`${join(folder, "up.sql")}:`, "line ");
  const { code, path, status } = error;
  return new EngineError(code, path, `${reason}. Nothing was saved or changed.`, { status, cause: error });
}
