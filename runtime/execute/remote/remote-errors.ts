/** Errors of requests to remote schemas (`docs/how-to/remote-schemas.md`). */
import type { RemoteServer } from "../../model/definitions/remote/remote-server.ts";
import { callFailure } from "../../outbound/http-client.ts";
import { EngineError } from "../../values/errors.ts";
import type { Interruptible } from "../../values/interruptible.ts";

export function remoteError(message: string, internal?: unknown, cause?: unknown): EngineError {
  return new EngineError("remote-schema-error", "$", message, { status: 500, internal, cause });
}

/**
 * Returns the error for a failed request. It contains the URL as in the metadata, because values of environment
 * variables may be secret.
 */
export function unreachable({ url }: RemoteServer, reason: string, cause?: unknown): EngineError {
  const message = `HTTP exception occurred while sending the request to "${url}"`;
  return remoteError(message, { type: "http_exception", message: reason }, cause);
}

export function callFailed(server: RemoteServer, error: unknown): EngineError {
  const reason = callFailure(error);
  return unreachable(server, reason === "no reply in time" ? "Response timeout" : reason, error);
}

/** Returns the error for a request while the circuit breaker is open. */
export function circuitOpen(server: RemoteServer): EngineError {
  return unreachable(server, "the server failed repeatedly; requests to it resume after a pause");
}

/** Returns the error for a request that was aborted because the caller disconnected or the operation timed out. */
export function abandoned(server: RemoteServer): EngineError {
  return unreachable(server, "the request was cancelled");
}

/** The errors in a response. They fail the whole operation unless the caller uses the data that came with them. */
export class RemoteErrors extends EngineError {
  /** JSON text. */
  readonly errors: string;
  /** Reads the values of the requested fields; `undefined` if a field is missing. */
  readonly values: () => Interruptible<ReadonlyMap<string, string> | undefined>;

  constructor(errors: string, values: RemoteErrors["values"] = withoutValues) {
    super("remote-schema-error", "$", "the remote schema returned errors", { graphqlErrors: errors });
    this.errors = errors;
    this.values = values;
  }
}

// biome-ignore lint/correctness/useYield: has the type of a reader, but nothing to read
function* withoutValues(): Interruptible<undefined> {
  return undefined;
}
