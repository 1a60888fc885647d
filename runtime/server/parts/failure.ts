/** Formats errors that end a program for standard error (`docs/internals/messages.md`). */
import { ConfigurationError } from "../../config/configuration-error.ts";
import { EngineError } from "../../values/errors.ts";

/**
 * Returns a message for an error that users can correct, and a stack for a bug.
 * @param portSettings the option that sets the port
 */
export function failureMessage(error: unknown, portSettings = portVariable): string {
  if (error instanceof ConfigurationError) return error.message.split("\n").map(errorLine).join("\n");
  if (error instanceof EngineError) {
    return errorLine(error.hint === undefined ? error.message : `${error.message}; ${error.hint}`);
  }
  if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") {
    return errorLine(portInUse(error, portSettings));
  }
  if (error instanceof Error && "syscall" in error && "path" in error) {
    return errorLine(`cannot read or write ${String(error.path)}: ${error.message}`);
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Prefixes a message with `error: `, unless it begins with `file:line` or with a prefix of the specification. */
export function errorLine(message: string): string {
  const isComplete = splitPlace(message).place !== undefined || /^Fatal Error ?: /.test(message);
  return isComplete ? message : `error: ${message}`;
}

/** Splits a message that begins with `file:line` or `file:line:column`. */
export function splitPlace(text: string): { readonly place?: string; readonly message: string } {
  const { place, message } = /^(?<place>[^\s:]+:\d+(?::\d+)?): (?<message>[\s\S]*)$/.exec(text)?.groups ?? {};
  return place === undefined || message === undefined ? { message: text } : { place, message };
}

export const portVariable = "ENGINE_GRAPHQL_SERVER_PORT";

function portInUse(error: Error, portSettings: string): string {
  const port = "port" in error ? ` ${String(error.port)}` : "";
  return `port${port} is in use by another program; stop it, or choose another port with ${portSettings}`;
}
