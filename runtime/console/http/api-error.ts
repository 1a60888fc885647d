/** An answer that says what went wrong, or no answer. */

export class ApiError extends Error {
  /** HTTP status; 0: the server did not answer. */
  readonly status: number;
  /** `not-exists`, `validation-failed` … */
  readonly code: string | null;
  /** Where in the request: `$.args.table`. */
  readonly path: string | null;
  /** What to do about it. */
  readonly hint: string | null;
  /** What the server tells administrators besides. */
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

/** @param body the JSON of an answer, of the administration or of the GraphQL form */
export function errorOf(status: number, body: unknown): ApiError {
  const found: ErrorBody = typeof body === "object" && body !== null ? body : {};
  const [first] = found.errors ?? [];
  const about = first?.extensions ?? found;
  const message = textOf(found.error) ?? textOf(first?.message) ?? textOf(found.message);
  return new ApiError(message ?? `The server answered with status ${status}.`, {
    status,
    code: textOf(about.code),
    path: textOf(about.path),
    hint: textOf(about.hint),
    internal: about.internal ?? null,
  });
}

/** What was thrown, in a form that can be shown. */
export const asApiError = (thrown: unknown): ApiError =>
  thrown instanceof ApiError ? thrown : new ApiError(thrown instanceof Error ? thrown.message : String(thrown));
