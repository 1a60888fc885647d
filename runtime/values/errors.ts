/** The one error class of the product: what a user caused or has to know about. Rendered in `runtime/values/error-body.ts`. */

/** What is wrong, for code that treats such errors otherwise than the rest: messages are for people. */
export type Fault =
  | {
      readonly kind: "unknown_field";
      readonly field: string;
      readonly type: string;
      /** The fields that the role has there. */
      readonly known: () => Iterable<string>;
    }
  | { readonly kind: "unknown_argument"; readonly argument: string; readonly known: () => Iterable<string> }
  | { readonly kind: "missing_session_variable"; readonly variable: string };

export interface ErrorDetails {
  /** HTTP status; 400 unless given. GraphQL endpoints answer 200 whatever it is (`graphql-api.md` 1.5). */
  readonly status?: number;
  /** Shown to administrators and in development mode only. */
  readonly internal?: unknown;
  readonly fault?: Fault;
  /** What was probably meant, worked out when it is shown: in development mode, and to administrators who ask for it. */
  readonly hint?: () => string | undefined;
  /** The errors of another GraphQL server, as JSON text, which are passed on as they are. */
  readonly graphqlErrors?: string;
  /** What an action's handler says beside its message: stands in place of path, code and the rest. */
  readonly extensions?: unknown;
  readonly cause?: unknown;
}

export class EngineError extends Error {
  /** One of the specification's codes, for example `validation-failed`. */
  readonly code: string;
  /** JSONPath from `$` to the place in the request that is at fault. */
  readonly path: string;
  readonly status: number;
  readonly internal: unknown;
  readonly fault: Fault | undefined;
  readonly graphqlErrors: string | undefined;
  readonly extensions: unknown;
  readonly #details: ErrorDetails;

  constructor(code: string, path: string, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = "EngineError";
    this.code = code;
    this.path = path;
    this.status = details.status ?? 400;
    this.internal = details.internal;
    this.fault = details.fault;
    this.graphqlErrors = details.graphqlErrors;
    this.extensions = details.extensions;
    this.#details = details;
  }

  /** The same error at another place, for an operation inside a bulk for example. */
  at(path: string): EngineError {
    return new EngineError(this.code, path, this.message, this.#details);
  }

  get hint(): string | undefined {
    return this.#details.hint?.();
  }

  /** The same error with what was probably meant. */
  withHint(hint: () => string | undefined): EngineError {
    return new EngineError(this.code, this.path, this.message, { ...this.#details, hint });
  }

  /** The same error with more for administrators. */
  withInternal(internal: unknown): EngineError {
    return new EngineError(this.code, this.path, this.message, { ...this.#details, internal });
  }
}

const simpleKey = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/** Appends an object key or an array index to a JSONPath (`graphql-api.md` 1.5, `metadata-api.md` 1.7). */
export function pathTo(path: string, ...keys: readonly (string | number)[]): string {
  let result = path;
  for (const key of keys) {
    if (typeof key === "number") result += `[${key}]`;
    else result += simpleKey.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
  }
  return result;
}

/** Marks what only a mistake of ours can reach: the request fails as `unexpected`, the log gets the stack. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`invariant: ${message}`);
}

export function assertNever(value: never): never {
  throw new Error(`invariant: unhandled case ${JSON.stringify(value)}`);
}
