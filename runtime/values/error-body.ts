/**
 * Errors → bodies of answers; nothing else renders an error. The administration form is `{error, path, code,
 * internal?}` (`metadata-api.md` 1.7), the GraphQL form a list of one `{message, extensions: {path, code, internal?}}`
 * (`graphql-api.md` 1.3).
 */
import type { EngineError } from "./errors.ts";
import { stringifyJson } from "./json-number.ts";
import type { Session } from "./session.ts";

export interface ErrorVisibility {
  readonly devMode: boolean;
  readonly adminInternalErrors: boolean;
}

export interface ErrorBody {
  readonly error: string;
  readonly path: string;
  readonly code: string;
  readonly internal?: unknown;
  readonly hint?: string;
}

/** Where in the text of an operation, from 1. */
export interface SourceLocation {
  readonly line: number;
  readonly column: number;
}

/** What stands beside the members that the specification fixes. */
export interface ErrorExtras {
  /** Show what was probably meant. */
  readonly hint?: boolean;
  readonly locations?: readonly SourceLocation[] | undefined;
}

/** Whether `internal` is shown to this session; failed authentication has none, and then it never is. */
export function showsInternal(visibility: ErrorVisibility, session: Session | null): boolean {
  if (session === null) return false;
  return visibility.devMode || (session.role === "admin" && visibility.adminInternalErrors);
}

/** In the order of keys that the answer has. */
export function errorBody(error: EngineError, withInternal: boolean, withHint = false): ErrorBody {
  const { internal } = error;
  const hint = withHint ? error.hint : undefined;
  return {
    error: error.message,
    path: error.path,
    code: error.code,
    ...(withInternal && internal !== undefined && { internal }),
    ...(hint !== undefined && { hint }),
  };
}

export function renderError(error: EngineError, withInternal: boolean, { hint }: ErrorExtras = {}): string {
  return stringifyJson(errorBody(error, withInternal, hint));
}

export function renderGraphqlError(error: EngineError, withInternal: boolean, extras?: ErrorExtras): string {
  if (error.graphqlErrors !== undefined) return `{"data":null,"errors":${asList(error.graphqlErrors)}}`;
  return `{"errors":[${renderGraphqlErrorEntry(error, withInternal, extras)}]}`;
}

/** The elements of a GraphQL list of errors, without the brackets. */
export function renderGraphqlErrorEntries(error: EngineError, withInternal: boolean): string {
  const { graphqlErrors } = error;
  return graphqlErrors === undefined
    ? renderGraphqlErrorEntry(error, withInternal)
    : asList(graphqlErrors).slice(1, -1);
}

/** Servers may answer with something else. */
const asList = (errors: string): string => (errors.startsWith("[") ? errors : `[${errors}]`);

/** One element of a GraphQL list of errors. */
function renderGraphqlErrorEntry(
  error: EngineError,
  withInternal: boolean,
  { hint, locations }: ErrorExtras = {},
): string {
  const { error: message, ...extensions } = errorBody(error, withInternal, hint);
  return stringifyJson({ message, ...(locations && { locations }), extensions: error.extensions ?? extensions });
}
