/**
 * The error of the embedded PostgreSQL. Its message includes the remedy, and the command line prints it without a
 * stack.
 */

export type EmbeddedPostgresReason =
  | "no-binaries"
  | "no-account"
  | "folder-unreachable"
  | "folder-unwritable"
  | "folder-foreign"
  | "folder-in-use"
  | "processes-left"
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

/** The remedy common to all of these errors. */
export const useOwnServer = "set --database-url (ENGINE_GRAPHQL_DATABASE_URL) to use a PostgreSQL server of your own";

/** Returns the system error code of a thrown value, such as `EACCES`, if it has one. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
