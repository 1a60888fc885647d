/** What a program prints when it fails: one message for what a user can mend, a stack for our bugs. */
import { ConfigurationError } from "../config/configuration-error.ts";
import { EngineError } from "../values/errors.ts";

export function failureMessage(error: unknown): string {
  if (error instanceof ConfigurationError) return error.message;
  if (error instanceof EngineError) return `${error.code}: ${error.message}`;
  if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") return portInUse(error);
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function portInUse(error: Error): string {
  const port = "port" in error ? ` ${String(error.port)}` : "";
  return `port${port} is in use by another program; stop that one, or choose a port with --server-port or ENGINE_GRAPHQL_SERVER_PORT`;
}
