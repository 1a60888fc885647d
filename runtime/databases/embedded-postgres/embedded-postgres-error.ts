/**
 * The error of this folder: why the embedded PostgreSQL cannot run, with a message that says what to do.
 * Input: a reason and the message. Output: an error that the command line prints without its stack.
 */

export type EmbeddedPostgresReason =
  | "no-binaries"
  | "no-account"
  | "folder-unreachable"
  | "folder-unwritable"
  | "folder-foreign"
  | "folder-in-use"
  | "port-taken"
  | "start-failed";

export class EmbeddedPostgresError extends Error {
  readonly reason: EmbeddedPostgresReason;

  constructor(reason: EmbeddedPostgresReason, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "EmbeddedPostgresError";
    this.reason = reason;
  }
}

/** The way out that every one of these errors has. */
export const useOwnServer = "set ENGINE_GRAPHQL_DATABASE_URL to use a PostgreSQL server of your own";

/** The text of anything thrown, without its stack. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The system's error code, `EACCES` for example, of anything thrown. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
