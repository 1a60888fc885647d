/** Errors of requests to the server. */
import { messageOf } from "../../values/message-of.ts";

export class ApiError extends Error {
  /** HTTP status; 0 without a response. */
  readonly status: number;
  /** Error code, such as `not-exists` or `validation-failed`. */
  readonly code: string | null;
  /** Location in the request, such as `$.args.table`. */
  readonly path: string | null;
  readonly hint: string | null;
  /** Details that the server adds for administrators. */
  readonly internal: unknown;

  constructor(message: string, about: Partial<Omit<ApiError, "message" | "name">> = {}) {
    super(message);
    this.name = "ApiError";
    this.status = about.status ?? 0;
    this.code = about.code ?? null;
    this.path = about.path ?? null;
    this.hint = about.hint ?? null;
    this.internal = about.internal ?? null;
  }
}

interface ErrorBody {
  readonly error?: unknown;
  readonly message?: unknown;
  readonly code?: unknown;
  readonly path?: unknown;
  readonly hint?: unknown;
  readonly internal?: unknown;
  readonly errors?: readonly { readonly message?: unknown; readonly extensions?: ErrorBody }[];
}

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);

/** @param body JSON body of the response, in the format of the metadata API or of GraphQL */
export function errorOf(status: number, body: unknown): ApiError {
  const found: ErrorBody = typeof body === "object" && body !== null ? body : {};
  const [first] = found.errors ?? [];
  const about = first?.extensions ?? found;
  const message = textOf(found.error) ?? textOf(first?.message) ?? textOf(found.message);
  return new ApiError(message ?? `The server responded with status ${status}.`, {
    status,
    code: textOf(about.code),
    path: textOf(about.path),
    hint: textOf(about.hint),
    internal: about.internal ?? null,
  });
}

/** Returns the error of a request that received no response. */
export const unreachable = (): ApiError =>
  new ApiError("The server is unreachable. Check that it is running and that you are online.");

/** Converts a thrown value to an ApiError. */
export const asApiError = (thrown: unknown): ApiError =>
  thrown instanceof ApiError ? thrown : new ApiError(messageOf(thrown));
