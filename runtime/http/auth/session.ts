/**
 * Reads session variables from request headers. For trusted requests, also reads the role and the backend-only flag.
 */
import { notABoolean, parseBooleanText } from "../../config/value-types.ts";
import type { AuthenticatedSession } from "../../ports/authentication.ts";
import type { RequestHeaders } from "../../ports/headers.ts";
import { EngineError } from "../../values/errors.ts";
import { readAfterHeader } from "../../values/read-after.ts";
import { type Session, sessionPrefix } from "../../values/session.ts";
import { ownName, peerPrefix, underBothNames } from "../../values/session-alias.ts";
import {
  accessKeyHeader,
  adminSecretHeader,
  backendOnlyHeader,
  decodeHeader,
  roleHeader,
  toEngineHeaders,
} from "./headers.ts";

const adminRole = "admin";

/**
 * Returns the session of a request that may choose its role: a request with the admin secret, or any request if there
 * is no secret.
 * @throws EngineError `bad-request` if the backend-only header is not a boolean, or the role header is another engine's
 */
export function trustedSession(headers: RequestHeaders): AuthenticatedSession {
  // An empty header is treated as absent.
  const named = headers[roleHeader] || undefined;
  // Ignoring this header without --header-alias would run the request as admin.
  if (named === undefined && headers[peerRoleHeader] !== undefined) throw peerRole();
  const role = decodeHeader(named ?? adminRole);
  const backendOnly = readBackendOnly(headers) && role !== adminRole;
  return { role, variables: sessionVariables(headers, role), backendOnly, choosesRole: true };
}

const peerRoleHeader = `${peerPrefix}role`;

function peerRole(): EngineError {
  const message = `${peerRoleHeader} is not supported; send ${roleHeader}, or start the server with --header-alias ${peerPrefix}=${sessionPrefix}`;
  return new EngineError("bad-request", "$", message);
}

/** Returns the session of a request whose role the server chooses; its role header and backend-only flag are ignored. */
export function untrustedSession(headers: RequestHeaders, role: string): Session {
  return { role, variables: sessionVariables(headers, role), backendOnly: false };
}

const notVariables: ReadonlySet<string> = new Set([adminSecretHeader, accessKeyHeader, readAfterHeader]);

/** Returns all `x-engine-*` headers that are session variables, and the role. */
function sessionVariables(headers: RequestHeaders, role: string): ReadonlyMap<string, string> {
  const variables = new Map<string, string>();
  for (const name in headers) {
    if (!name.startsWith(sessionPrefix) || notVariables.has(name)) continue;
    const value = headers[name];
    if (value !== undefined) variables.set(name, decodeHeader(value));
  }
  return variables.set(roleHeader, role);
}

function readBackendOnly(headers: RequestHeaders): boolean {
  const text = headers[backendOnlyHeader];
  if (text === undefined) return false;
  const value = parseBooleanText(text);
  if (value === undefined) throw new EngineError("bad-request", "$", `${backendOnlyHeader}: ${notABoolean}`);
  return value;
}

/**
 * Returns the session of a request with the admin secret and these headers; the values may be any text.
 * @param alias the alternative prefix
 */
export function sessionOfVariables(variables: Readonly<Record<string, string>>, alias: string | null = null): Session {
  const entries = Object.entries(variables).map(([name, value]) => {
    // Headers in `node:http` have one character per byte.
    return [name.toLowerCase(), Buffer.from(value, "utf8").toString("latin1")] as const;
  });
  const headers = Object.fromEntries(entries);
  const session = trustedSession(alias === null ? headers : toEngineHeaders(headers, alias));
  return { ...session, variables: underBothNames(session.variables, alias) };
}

/**
 * @param variables by name; a role among them is ignored
 * @param alias the alternative prefix
 * @throws EngineError `bad-request` if a name is not a session variable's
 */
export function namedSession(
  role: string,
  variables: Readonly<Record<string, string>>,
  alias: string | null,
): AuthenticatedSession {
  const ownNameOf = (name: string): string => ownName(name.toLowerCase(), alias);
  const foreign = Object.keys(variables).find((name) => !ownNameOf(name).startsWith(sessionPrefix));
  if (foreign !== undefined) {
    const message = `"${foreign}" is not a session variable; their names begin with ${sessionPrefix}`;
    throw new EngineError("bad-request", "$", message);
  }
  const others = Object.entries(variables).filter(([name]) => ownNameOf(name) !== roleVariable);
  const own = others.map(([name, value]) => [ownNameOf(name), value] as const);
  return sessionOfVariables({ ...Object.fromEntries(own), [roleVariable]: role }, alias);
}

const roleVariable = `${sessionPrefix}role`;
