/** Request headers → session variables, and the role and rights that a trusted request names itself. */
import { notABoolean, parseBooleanText } from "../../config/value-types.ts";
import type { RequestHeaders } from "../../ports/headers.ts";
import { EngineError } from "../../values/errors.ts";
import { readAfterHeader } from "../../values/read-after.ts";
import { type Session, sessionPrefix } from "../../values/session.ts";
import { peerPrefix, underBothNames } from "../../values/session-alias.ts";
import {
  accessKeyHeader,
  adminSecretHeader,
  backendOnlyHeader,
  decodeHeader,
  roleHeader,
  underOwnHeaders,
} from "./headers.ts";

const adminRole = "admin";

/**
 * The session of a request that may choose its role: one with the admin secret, or any when there is no secret.
 * @throws EngineError `bad-request`: the backend-only header is not a boolean, or the role is named for another engine
 */
export function trustedSession(headers: RequestHeaders): Session {
  // An empty header counts as absent.
  const named = headers[roleHeader] || undefined;
  // Without --header-alias it names no role; whoever sends it does not expect to be an administrator.
  if (named === undefined && headers[peerRoleHeader] !== undefined) throw peerRole();
  const role = decodeHeader(named ?? adminRole);
  const backendOnly = readBackendOnly(headers) && role !== adminRole;
  return { role, variables: sessionVariables(headers, role), backendOnly };
}

const peerRoleHeader = `${peerPrefix}role`;

function peerRole(): EngineError {
  const message = `${peerRoleHeader} names no role here: send ${roleHeader}, or start the server with --header-alias ${peerPrefix}=${sessionPrefix}`;
  return new EngineError("bad-request", "$", message);
}

/** The session of a request whose role is decided by the server; its role header and backend-only flag are ignored. */
export function untrustedSession(headers: RequestHeaders, role: string): Session {
  return { role, variables: sessionVariables(headers, role), backendOnly: false };
}

const notVariables: ReadonlySet<string> = new Set([adminSecretHeader, accessKeyHeader, readAfterHeader]);

/** All `x-engine-*` headers that stand for session variables, with the decided role. */
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
 * The session that a request with the admin secret and these headers would have; the values are any text.
 * @param alias another prefix that is taken for ours
 */
export function sessionOfVariables(variables: Readonly<Record<string, string>>, alias: string | null = null): Session {
  const entries = Object.entries(variables).map(([name, value]) => {
    // Headers come as one character per byte.
    return [name.toLowerCase(), Buffer.from(value, "utf8").toString("latin1")] as const;
  });
  const headers = Object.fromEntries(entries);
  const session = trustedSession(alias === null ? headers : underOwnHeaders(headers, alias));
  return { ...session, variables: underBothNames(session.variables, alias) };
}
