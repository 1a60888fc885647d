/** One request to the server as an administrator. */
import { endpoint } from "./address.ts";
import { ApiError, errorOf } from "./api-error.ts";
import { adminHeaders, refuse } from "./credentials.ts";
import { LostNumber, parseExact, parseRaw } from "./json.ts";

export interface Sending {
  readonly method?: "GET" | "POST";
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Keep numbers as text where they cannot be kept otherwise. */
  readonly exact?: boolean;
  /** Keep them so that they are written as they came. */
  readonly raw?: boolean;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly json: unknown;
  readonly headers: Headers;
}

/** Asks that errors say where in the text they are, and what was probably meant. */
const withHints = "application/graphql-response+json, application/json;q=0.9";

/**
 * @returns any answer that is JSON, whatever its status
 * @throws ApiError when the server does not answer, or not with JSON; a DOMException when the signal ends it
 */
export async function exchange(path: string, sending: Sending): Promise<Answer> {
  const { method = "POST", body, headers, signal, exact = false, raw = false } = sending;
  let response: Response;
  try {
    response = await fetch(endpoint(path), {
      method,
      headers: { accept: withHints, "content-type": "application/json", ...adminHeaders(), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
      credentials: "same-origin",
      redirect: "error",
    });
  } catch (thrown) {
    if (signal?.aborted) throw thrown;
    throw new ApiError("The server does not answer. Is it running?");
  }
  const text = await response.text();
  try {
    const json = raw ? parseRaw(text) : exact ? parseExact(text) : JSON.parse(text);
    return { status: response.status, text, json, headers: response.headers };
  } catch (thrown) {
    if (thrown instanceof LostNumber) throw new ApiError(thrown.message);
    throw new ApiError(`The server answered with status ${response.status} and no JSON.`, { status: response.status });
  }
}

/**
 * @returns the JSON of a success
 * @throws ApiError
 */
export async function send<T>(path: string, sending: Sending): Promise<T> {
  const { status, json } = await exchange(path, sending);
  if (status >= 200 && status < 300) return json as T;
  const error = errorOf(status, json);
  if (error.code === "access-denied" && /secret/.test(error.message)) refuse();
  throw error;
}
