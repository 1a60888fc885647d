/**
 * Renders errors as response bodies. The administration form is `{error, path, code, internal?}`, the GraphQL form is a
 * list of one `{message, extensions: {path, code, internal?}}`.
 */
import { coordinateOf, type EngineError } from "./errors.ts";
import { stringifyJson } from "./json-number.ts";
import { enclosed, type ResponseText } from "./response-text.ts";
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

/** A position in the text of an operation, counted from 1. */
export interface SourceLocation {
  readonly line: number;
  readonly column: number;
}

/** Members in addition to the members of the administration and GraphQL forms. */
export interface ErrorExtras {
  /** If true, the body includes the error's hint. */
  readonly hint?: boolean;
  readonly locations?: readonly SourceLocation[] | undefined;
  /** If true, `extensions` has the schema coordinate of an unknown field or argument. */
  readonly coordinate?: boolean;
}

/** Returns true if errors for a session include `internal`. They never do after failed authentication (`null`). */
export function showsInternal(visibility: ErrorVisibility, session: Session | null): boolean {
  if (session === null) return false;
  return visibility.devMode || (session.role === "admin" && visibility.adminInternalErrors);
}

/** Returns the members of an error, in the order in which they are rendered. */
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

/** Renders the elements of a GraphQL list of errors, without the brackets. */
export function renderGraphqlErrorEntries(error: EngineError, withInternal: boolean): string {
  const { graphqlErrors } = error;
  return graphqlErrors === undefined
    ? renderGraphqlErrorEntry(error, withInternal)
    : asList(graphqlErrors).slice(1, -1);
}

/** Returns the errors of a remote server as a list; a single error becomes a list of one item. */
const asList = (errors: string): string => (errors.startsWith("[") ? errors : `[${errors}]`);

/**
 * Renders a response that has data and errors of null fields.
 * @param data JSON text
 */
export function renderResponse<T extends ResponseText>(
  data: T,
  errors: readonly EngineError[],
  withInternal: boolean,
): T {
  return enclosed(data, '{"data":', responseEnd(errors, withInternal));
}

/** Renders the part of a response after `data`. */
function responseEnd(errors: readonly EngineError[], withInternal: boolean): string {
  if (errors.length === 0) return "}";
  return `,"errors":[${errors.map((error) => renderGraphqlErrorEntry(error, withInternal)).join(",")}]}`;
}

/** Renders one element of a GraphQL list of errors. */
function renderGraphqlErrorEntry(
  error: EngineError,
  withInternal: boolean,
  { hint, locations, coordinate: hasCoordinate }: ErrorExtras = {},
): string {
  const { error: message, ...members } = errorBody(error, withInternal, hint);
  const coordinate = hasCoordinate ? coordinateOf(error.fault) : undefined;
  const extensions = coordinate === undefined ? members : { ...members, coordinate };
  const { fieldPath: path } = error;
  const position = { ...(locations && { locations }), ...(path && { path }) };
  return stringifyJson({ message, ...position, extensions: error.extensions ?? extensions });
}
