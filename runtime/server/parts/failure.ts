/** What a program prints when it fails: one message for what a user can mend, a stack for our bugs. */
import { ConfigurationError } from "../../config/configuration-error.ts";
import { EngineError } from "../../values/errors.ts";

/** @param portSettings what chooses another port */
export function failureMessage(error: unknown, portSettings = portVariable): string {
  if (error instanceof ConfigurationError) return error.message;
  if (error instanceof EngineError) return `${error.code}: ${error.message}`;
  if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") return portInUse(error, portSettings);
  if (error instanceof Error && "syscall" in error && "path" in error) {
    return `cannot read or write ${String(error.path)}: ${error.message}`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

export const portVariable = "ENGINE_GRAPHQL_SERVER_PORT";

function portInUse(error: Error, portSettings: string): string {
  const port = "port" in error ? ` ${String(error.port)}` : "";
  return `port${port} is in use by another program; stop that one, or choose a port with ${portSettings}`;
}
