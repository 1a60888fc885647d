/** A problem that a user of the compiler can fix. Diagnostics are values: collected, never thrown across a phase. */

import type { ErrorCode } from "../../runtime/values/error-codes.ts";

export interface Diagnostic {
  readonly code: ErrorCode;
  /** JSONPath into the metadata or the operation's arguments. */
  readonly path: string;
  readonly message: string;
  /** The remedy, for example the nearest valid name. Shown by the command line, not part of `message`. */
  readonly hint?: string;
  readonly internal?: unknown;
  /** HTTP status of the response to an operation requested over HTTP; 400 by default. */
  readonly status?: number;
}

export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: Diagnostic };

export function ok<T>(value: T): Result<T> {
  return { ok: true, value };
}

export function fail(code: ErrorCode, path: string, message: string, more: Partial<Diagnostic> = {}): Result<never> {
  return { ok: false, error: { code, path, message, ...more } };
}
