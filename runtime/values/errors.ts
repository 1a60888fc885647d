/** The error class for all errors that users see. `runtime/values/error-body.ts` renders them. */

import type { ErrorCode } from "./error-codes.ts";

declare const foreign: unique symbol;

/** A code that is not chosen by the engine: by an action handler, a configuration module, or another server. */
export type ForeignCode = string & { readonly [foreign]: true };

export const foreignCode = (code: string): ForeignCode => code as ForeignCode;

/** The machine-readable cause of an error, for code that handles the error. */
export type Fault =
  | {
      readonly kind: "unknown_field";
      readonly field: string;
      readonly type: string;
      /** Returns the fields of the type that the role may use. */
      readonly known: () => Iterable<string>;
    }
  | {
      readonly kind: "unknown_argument";
      readonly argument: string;
      readonly field: string;
      /** Type of the field; absent if it is unknown. */
      readonly type?: string | undefined;
      readonly known: () => Iterable<string>;
    }
  | { readonly kind: "missing_session_variable"; readonly variable: string };

/**
 * Fields that an operation selects and that this server has for no role, although the role may run the rest of the
 * operation: another server may still serve it (`--fallback`).
 */
export interface UnservedOperation {
  readonly kind: "query" | "mutation";
  /** Schema coordinates, such as `query_root.article`. */
  readonly fields: readonly string[];
  readonly reason: "root_field" | "nested_field";
  /** Name and hash of the operation, without its values. */
  readonly identity: () => { readonly operation_name: string; readonly parameterized_query_hash: string };
}

/** Keys and indexes from `data` to a field, the `path` of a GraphQL error (GraphQL, 7.1.2). */
export type FieldPath = readonly (string | number)[];

export interface ErrorDetails {
  /** The HTTP status; 400 by default. `/v1/graphql` ignores it and responds with 200. */
  readonly status?: number;
  /** Shown to administrators and in development mode only. */
  readonly internal?: unknown;
  readonly fault?: Fault;
  /** Set if another server may serve the operation. */
  readonly unserved?: UnservedOperation;
  /** Returns a suggestion. Called only if hints are shown: in development mode, and to administrators on request. */
  readonly hint?: () => string | undefined;
  /** The errors of a remote GraphQL server as JSON text, passed on unchanged. */
  readonly graphqlErrors?: string;
  /** The path of the field that the error made null. */
  readonly fieldPath?: FieldPath;
  /** The `extensions` of an action handler's error, which replace all others, such as path and code. */
  readonly extensions?: unknown;
  readonly cause?: unknown;
}

export class EngineError extends Error {
  readonly code: ErrorCode | ForeignCode;
  /** The JSONPath from `$` to the faulty part of the request. */
  readonly path: string;
  readonly status: number;
  readonly internal: unknown;
  readonly fault: Fault | undefined;
  readonly unserved: UnservedOperation | undefined;
  readonly graphqlErrors: string | undefined;
  readonly extensions: unknown;
  readonly fieldPath: FieldPath | undefined;
  readonly #details: ErrorDetails;

  constructor(code: ErrorCode | ForeignCode, path: string, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = "EngineError";
    this.code = code;
    this.path = path;
    this.status = details.status ?? 400;
    this.internal = details.internal;
    this.fault = details.fault;
    this.unserved = details.unserved;
    this.graphqlErrors = details.graphqlErrors;
    this.extensions = details.extensions;
    this.fieldPath = details.fieldPath;
    this.#details = details;
  }

  /** Returns the error with another path, for example for an operation inside a bulk. */
  at(path: string): EngineError {
    return new EngineError(this.code, path, this.message, this.#details);
  }

  /** Returns the error with the path of a field in the response. */
  atField(fieldPath: FieldPath): EngineError {
    return new EngineError(this.code, this.path, this.message, { ...this.#details, fieldPath });
  }

  get hint(): string | undefined {
    return this.#details.hint?.();
  }

  /** Returns the error with a hint. */
  withHint(hint: () => string | undefined): EngineError {
    return new EngineError(this.code, this.path, this.message, { ...this.#details, hint });
  }

  /** Returns the error of an operation that another server may serve. */
  withUnserved(unserved: UnservedOperation): EngineError {
    return new EngineError(this.code, this.path, this.message, { ...this.#details, unserved });
  }

  /** Returns the error with details for administrators. */
  withInternal(internal: unknown): EngineError {
    return new EngineError(this.code, this.path, this.message, { ...this.#details, internal });
  }
}

/** Returns the schema coordinate of what a fault names (GraphQL, September 2025, appendix), if it has one. */
export function coordinateOf(fault: Fault | undefined): string | undefined {
  if (fault === undefined || !("field" in fault) || fault.type === undefined) return undefined;
  const field = `${fault.type}.${fault.field}`;
  return fault.kind === "unknown_argument" ? `${field}(${fault.argument}:)` : field;
}

const simpleKey = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/** Appends an object key or an array index to a JSONPath. */
export function pathTo(path: string, ...keys: readonly (string | number)[]): string {
  let result = path;
  for (const key of keys) {
    if (typeof key === "number") result += `[${key}]`;
    else result += simpleKey.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
  }
  return result;
}

/**
 * Throws if a condition is false, which only a bug can cause. The request then fails as `unexpected`, and the log
 * contains the stack.
 */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`invariant: ${message}`);
}

export function assertNever(value: never): never {
  throw new Error(`invariant: unhandled case ${JSON.stringify(value)}`);
}
