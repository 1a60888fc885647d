/** The role and the session variables of a request, as determined by authentication. */

import type { ConnectionTarget, RoutedOperation } from "./connection-target.ts";
import type { Span } from "./span.ts";

export interface Session {
  readonly role: string;
  /** By name in lower case, beginning with `x-engine-`. Includes `x-engine-role`; never includes secrets. */
  readonly variables: ReadonlyMap<string, string>;
  /** True if permissions marked `backend_only` apply. */
  readonly backendOnly: boolean;
  /**
   * The client's headers, for calls on its behalf: names in lower case, values with one character per byte.
   */
  readonly clientHeaders?: Readonly<Record<string, string | undefined>>;
  /** Absent if the request is not traced. */
  readonly span?: Span;
  /** Values of other sources that row filters compare with, by slot key; absent if none were read. */
  readonly crossSourceValues?: ReadonlyMap<string, string>;
  /** The operation that connection templates evaluate; absent if no template is used. */
  readonly routing?: SessionRouting;
  /** Identifies the request in logs; absent if it comes from no client. */
  readonly requestId?: string;
}

interface SessionRouting {
  readonly operation: RoutedOperation;
  /** The results of connection templates for the request, keyed by the routes of a source. */
  readonly targets: WeakMap<object, ConnectionTarget>;
}

export const sessionPrefix = "x-engine-";

/**
 * Returns true if a metadata value refers to a session variable.
 * @param alias the alternative prefix, in lower case
 */
export function isSessionReference(value: unknown, alias?: string | null): value is string {
  if (typeof value !== "string") return false;
  const lower = value.toLowerCase();
  return lower.startsWith(sessionPrefix) || lower === "req_user_id" || (alias != null && lower.startsWith(alias));
}

/**
 * Returns the lower-case name of the session variable that a metadata value refers to; resolves `req_user_id`.
 * @param alias the alternative prefix, in lower case
 */
export function sessionVariableName(reference: string, alias?: string | null): string {
  const lower = reference.toLowerCase();
  if (lower === "req_user_id") return "x-engine-user-id";
  return alias != null && lower.startsWith(alias) ? `${sessionPrefix}${lower.slice(alias.length)}` : lower;
}
