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
}

/** Whether `internal` is shown to this session; failed authentication has none, and then it never is. */
export function showsInternal(visibility: ErrorVisibility, session: Session | null): boolean {
  if (session === null) return false;
  return visibility.devMode || (session.role === "admin" && visibility.adminInternalErrors);
}

/** In the order of keys that the answer has. */
export function errorBody(error: EngineError, withInternal: boolean): ErrorBody {
  const body = { error: error.message, path: error.path, code: error.code };
  return withInternal && error.internal !== undefined ? { ...body, internal: error.internal } : body;
}

export function renderError(error: EngineError, withInternal: boolean): string {
  return stringifyJson(errorBody(error, withInternal));
}

export function renderGraphqlError(error: EngineError, withInternal: boolean): string {
  if (error.graphqlErrors !== undefined) return `{"data":null,"errors":${asList(error.graphqlErrors)}}`;
  return `{"errors":[${renderGraphqlErrorEntry(error, withInternal)}]}`;
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
export function renderGraphqlErrorEntry(error: EngineError, withInternal: boolean): string {
  const { error: message, ...extensions } = errorBody(error, withInternal);
  return stringifyJson({ message, extensions: error.extensions ?? extensions });
}
