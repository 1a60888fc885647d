/** Who asks: the role and the session variables of one request, as authentication decided them. */

import type { ConnectionTarget, RoutedOperation } from "./connection-target.ts";
import type { Span } from "./span.ts";

export interface Session {
  readonly role: string;
  /** Names in lower case, all beginning `x-engine-`; `x-engine-role` is the decided role, secrets are never here. */
  readonly variables: ReadonlyMap<string, string>;
  /** The request may see permissions marked `backend_only`. */
  readonly backendOnly: boolean;
  /**
   * What the client sent along, for calls that are made on its behalf: names in lower case, values with one character
   * per byte. Absent: nothing.
   */
  readonly clientHeaders?: Readonly<Record<string, string | undefined>>;
  /** What is told of the request; absent: nothing. */
  readonly span?: Span;
  /** What row filters compare with that other sources have, where it was read for the request. */
  readonly elsewhere?: ReadonlyMap<string, string>;
  /** Its operation, which connection templates see; absent: no template leads it anywhere. */
  readonly routing?: SessionRouting;
  /** Tells the request apart in logs; absent: it comes from no client. */
  readonly requestId?: string;
}

interface SessionRouting {
  readonly operation: RoutedOperation;
  /** What has come out for the request, by the routes of a source. */
  readonly targets: WeakMap<object, ConnectionTarget>;
}

export const sessionPrefix = "x-engine-";

/**
 * Whether a metadata value stands for a session variable.
 * @param alias another prefix that counts as ours, in lower case
 */
export function isSessionReference(value: unknown, alias?: string | null): value is string {
  if (typeof value !== "string") return false;
  const lower = value.toLowerCase();
  return lower.startsWith(sessionPrefix) || lower === "req_user_id" || (alias != null && lower.startsWith(alias));
}

/**
 * Our lower-case name of the variable that a metadata value refers to; the old alias is resolved.
 * @param alias another prefix that counts as ours, in lower case
 */
export function sessionVariableName(reference: string, alias?: string | null): string {
  const lower = reference.toLowerCase();
  if (lower === "req_user_id") return "x-engine-user-id";
  return alias != null && lower.startsWith(alias) ? `${sessionPrefix}${lower.slice(alias.length)}` : lower;
}
