/** Sends requests to the server as an administrator, or with a token. */
import { endpoint } from "./address.ts";
import { ApiError, errorOf, unreachable } from "./api-error.ts";
import { credentialsOf, rejectSecret } from "./credentials.ts";
import { LostNumber, parseExact, parseRaw } from "./json.ts";

/** Identity of a request. */
export interface Caller {
  /** Role, session variables and other headers. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON Web Token; `null` for the admin secret. */
  readonly token: string | null;
}

export interface Sending {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** JSON Web Token to authenticate with instead of the admin secret. */
  readonly token?: string | null;
  /** JSON value. */
  readonly body?: unknown;
  /** JSON text, instead of a value, for numbers of any length. */
  readonly bodyText?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** If true, numbers that JavaScript would round become strings. */
  readonly exact?: boolean;
  /** If true, numbers that JavaScript would round become raw values, which are sent back unchanged. */
  readonly raw?: boolean;
}

export interface JsonResponse {
  readonly status: number;
  readonly text: string;
  readonly json: unknown;
  readonly headers: Headers;
}

/** Requests GraphQL errors with locations and suggestions. */
const withHints = "application/graphql-response+json, application/json;q=0.9";

/** Headers of requests that no user started. The server excludes them from the slow operations. */
export const ownRequest: Readonly<Record<string, string>> = { "engine-client": "console" };

/**
 * Returns a JSON response with any status.
 * @throws ApiError if the server is unreachable or the response is not JSON
 * @throws DOMException if the signal aborts the request
 */
export async function exchange(path: string, sending: Sending): Promise<JsonResponse> {
  const { method = "POST", body, bodyText, headers, token = null, signal, exact = false, raw = false } = sending;
  let response: Response;
  try {
    response = await fetch(endpoint(path), {
      method,
      headers: { accept: withHints, "content-type": "application/json", ...credentialsOf(token), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(bodyText !== undefined && { body: bodyText }),
      ...(signal && { signal }),
      credentials: "same-origin",
      redirect: "error",
    });
  } catch (thrown) {
    if (signal?.aborted) throw thrown;
    throw unreachable();
  }
  const text = await response.text();
  try {
    const json = raw ? parseRaw(text) : exact ? parseExact(text) : JSON.parse(text);
    return { status: response.status, text, json, headers: response.headers };
  } catch (thrown) {
    if (thrown instanceof LostNumber) throw new ApiError(thrown.message);
    throw new ApiError(`The server responded with status ${response.status} and a body that is not JSON.`, {
      status: response.status,
    });
  }
}

/**
 * Returns the JSON of a successful response.
 * @throws ApiError
 */
export async function send<T>(path: string, sending: Sending): Promise<T> {
  const { status, json } = await exchange(path, sending);
  if (status >= 200 && status < 300) return json as T;
  const error = errorOf(status, json);
  if (error.code === "access-denied" && /secret/.test(error.message)) rejectSecret();
  throw error;
}
