/** SQL of the console → a migration of the project: its files, run, and marked on the server. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { EngineError } from "../../values/errors.ts";
import { AppliedState } from "../migrations/applied-state.ts";
import { nextVersion, writeMigration } from "../migrations/create-migration.ts";
import { type Migration, readMigrations } from "../migrations/migration-files.ts";
import { runSteps } from "../migrations/run-steps.ts";
import { databasesOfServer, targetDatabases } from "../migrations/target-databases.ts";
import { withToolLock } from "../migrations/tool-lock.ts";
import type { CallMetadata } from "../project/client.ts";

export const migrationRequest = z.strictObject({
  source: z.string().min(1),
  name: z.string().min(1).max(200),
  up: z.string().refine((sql) => sql.trim() !== "", "there is no SQL to save"),
  /** Takes it back; empty: nothing does. */
  down: z.string().default(""),
  /** The database has it: the migration is only saved and marked. */
  has_run: z.boolean().default(false),
});

export type MigrationRequest = z.infer<typeof migrationRequest>;

export interface SavedMigration {
  readonly version: string;
  /** `migrations/default/1700000000001_notes` */
  readonly folder: string;
}

/** Somebody waits for the answer. */
const lock = { command: "engine console", waitSeconds: 60, remark: () => undefined };

/**
 * All or nothing: files of SQL that fails are taken away. Where it is not known whether the SQL was committed, they stay,
 * and the version is marked as unfinished.
 * @throws EngineError what the database says, with line and column
 */
export function saveMigration(
  call: CallMetadata,
  migrationsPath: string,
  { source, name, up, down, has_run }: MigrationRequest,
): Promise<SavedMigration> {
  return withToolLock(call, lock, async (ensureAlone) => {
    const [database] = targetDatabases(await databasesOfServer(call), [], { databaseName: source });
    if (database === undefined) throw new EngineError("not-found", "$", `the server has no database ${source}`);
    const state = await AppliedState.read(call);
    const version = await nextVersion(migrationsPath, source);
    const parent = join(migrationsPath, source);
    const folder = await writeMigration(parent, { version, name, up: withEnd(up), down: withEnd(down) });
    try {
      const migration = await written(migrationsPath, source, version);
      const options = { skipExecution: has_run, transaction: true, ensureAlone, onStep: () => undefined };
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
  throw new EngineError("not-found", "$", `migration ${version} of ${source} was taken away while it was saved`);
}

function withEnd(sql: string): string {
  return sql === "" || sql.endsWith("\n") ? sql : `${sql}\n`;
}

/** What the database says, at a line of the SQL and not of a file that is gone. */
function withoutFolder(error: unknown, folder: string): unknown {
  if (!(error instanceof EngineError)) return error;
  const [first = error.message] = error.message.split("\n");
  const said = first.replace(`${join(folder, "up.sql")}:`, "line ");
  const { code, path, status } = error;
  return new EngineError(code, path, `${said}. Nothing was saved, and nothing was changed.`, { status, cause: error });
}
