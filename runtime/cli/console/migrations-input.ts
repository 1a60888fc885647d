/** Input, database and lock of the requests that read and change the migrations of a project. */
import { EngineError } from "../../values/errors.ts";
import { databasesOfServer, type TargetDatabase, targetDatabases } from "../migrations/target-databases.ts";
import type { LockRequest } from "../migrations/tool-lock.ts";
import type { CallMetadata } from "../project/client.ts";
import type { Settings } from "../project/settings.ts";
import type { FollowedMetadata } from "./followed-metadata.ts";

export interface MigrationsInput {
  readonly settings: Settings;
  readonly call: CallMetadata;
  readonly followed: FollowedMetadata;
  /** Receives one line for each change of the project's files or migrations. */
  readonly print: (line: string) => void;
}

/** Settings of the migration lock. The wait is short, since a browser waits for the response. */
export const consoleLock: LockRequest = { command: "engine console", waitSeconds: 60, remark: () => undefined };

/** @throws EngineError `not-found` if the server has no such database */
export async function databaseNamed(call: CallMetadata, source: string): Promise<TargetDatabase> {
  const [database] = targetDatabases(await databasesOfServer(call), [], { databaseName: source });
  if (database !== undefined) return database;
  throw new EngineError("not-found", "$", `the server has no database ${source}`);
}
