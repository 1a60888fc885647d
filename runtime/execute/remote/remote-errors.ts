/** The errors of requests to remote servers (`docs/remote-schemas.md`). */
import type { RemoteServer } from "../../model/definitions/remote/remote-server.ts";
import { callFailure } from "../../outbound/http-client.ts";
import { EngineError } from "../../values/errors.ts";

export function remoteError(message: string, internal?: unknown, cause?: unknown): EngineError {
  return new EngineError("remote-schema-error", "$", message, { status: 500, internal, cause });
}

/** With the address as the metadata has it: what the environment fills in may be secret. */
export function unreachable({ url }: RemoteServer, reason: string, cause?: unknown): EngineError {
  const message = `HTTP exception occurred while sending the request to "${url}"`;
  return remoteError(message, { type: "http_exception", message: reason }, cause);
}

export function callFailed(server: RemoteServer, error: unknown): EngineError {
  const reason = callFailure(error);
  return unreachable(server, reason === "no reply in time" ? "Response timeout" : reason, error);
}

/** The server is left alone after failures. */
export function leftAlone(server: RemoteServer): EngineError {
  return unreachable(server, "the server did not answer, it is asked again soon");
}

/** Nobody waits for the answer any more, or the time of the operation is over. */
export function abandoned(server: RemoteServer): EngineError {
  return unreachable(server, "the request was cancelled");
}

/** The whole answer to the client are the errors of the server. @param errors JSON text */
export function passedOn(errors: string): EngineError {
  const message = "the remote server answered with errors";
  return new EngineError("remote-schema-error", "$", message, { graphqlErrors: errors });
}
