/** What the command line prints when a command fails: one message for what a user can mend, a stack for our bugs. */
import { EmbeddedPostgresError } from "../databases/embedded-postgres/embedded-postgres-error.ts";
import { failureMessage, portVariable } from "../server/parts/failure.ts";

export function commandFailure(error: unknown): string {
  return error instanceof EmbeddedPostgresError
    ? error.message
    : failureMessage(error, `--server-port or ${portVariable}`);
}
