/** Reply of the authentication webhook → session, or why there is none (`permissions-and-auth.md` 5). */

import type { HttpReply } from "../../../outbound/http-call.ts";
import type { AuthenticatedSession } from "../../../ports/authentication.ts";
import { unexpectedKind } from "../../../values/describe-json.ts";
import { EngineError } from "../../../values/errors.ts";
import { isObject } from "../../../values/is-object.ts";
import { parseJson } from "../../../values/parse-json.ts";
import { sessionPrefix } from "../../../values/session.ts";
import { mixedText, underOwnNames } from "../../../values/session-alias.ts";
import { lifetimeOf, parseCacheControl, parseHttpDate } from "../cache-headers.ts";
import { accessKeyHeader, adminSecretHeader, roleHeader } from "../headers.ts";

export type HookReply = Pick<HttpReply, "status" | "headers" | "text">;

export interface HookReplyTools {
  /** In milliseconds since 1970. */
  readonly now: number;
  /** Another prefix that names may have in place of ours. */
  readonly alias: string | null;
  /** Is told about members that cannot be read and are left out of account. */
  readonly warn: (message: string) => void;
}

/** @throws EngineError */
export function readHookReply(reply: HookReply, { now, alias, warn }: HookReplyTools): AuthenticatedSession {
  if (reply.status === 401) {
    throw new EngineError("access-denied", "$", "Authentication hook unauthorized this request", { status: 401 });
  }
  if (reply.status !== 200) throw invalidReply("");
  const members = readMembers(reply.text);
  const variables = new Map<string, string>();
  for (const [name, value] of ownMembers(members, alias)) {
    if (name.startsWith(sessionPrefix)) variables.set(name, value);
  }
  variables.delete(adminSecretHeader);
  variables.delete(accessKeyHeader);
  const role = variables.get(roleHeader) ?? "";
  if (role === "") throw new EngineError("invalid-params", "$", `${roleHeader} not found in session variables`);
  const expiresAt = expiry(members, now, warn);
  const setCookies = [reply.headers["set-cookie"] ?? []].flat();
  return { role, variables, backendOnly: false, setCookies, ...(expiresAt !== undefined && { expiresAt }) };
}

function ownMembers(members: Members, alias: string | null): Iterable<readonly [string, string]> {
  const lower = Object.entries(members).map(([name, value]) => [name.toLowerCase(), value] as const);
  if (alias === null) return lower;
  const own = underOwnNames(lower, alias);
  if ("mixed" in own) throw invalidReply(`: ${mixedText(own)}`);
  return own;
}

type Members = Readonly<Record<string, string>>;

function readMembers(text: string): Members {
  try {
    const json = parseJson(text);
    if (!isObject(json)) throw unexpectedKind("Object", "Object", json, "$");
    if (hasOnlyTexts(json)) return json;
    const wrong = Object.values(json).find((value) => typeof value !== "string");
    throw unexpectedKind("Text", "String", wrong, "$");
  } catch (error) {
    throw error instanceof EngineError ? invalidReply(`: ${error.message}`) : error;
  }
}

function hasOnlyTexts(json: Readonly<Record<string, unknown>>): json is Members {
  return Object.values(json).every((value) => typeof value === "string");
}

function invalidReply(detail: string): EngineError {
  return new EngineError("unexpected", "$", `Invalid response from authorization hook${detail}`, { status: 500 });
}

/** Names are compared exactly, unlike those of headers. */
function expiry(members: Members, now: number, warn: (message: string) => void): number | undefined {
  const { "Cache-Control": cacheControl, Expires: expires } = members;
  if (cacheControl !== undefined) {
    const directives = parseCacheControl(cacheControl);
    const lifetime = directives && lifetimeOf(directives);
    if (lifetime !== undefined) return now + lifetime * 1000;
    warn("the hook's Cache-Control has no max-age that can be read");
  }
  if (expires === undefined) return undefined;
  const time = parseHttpDate(expires);
  if (time === undefined) warn("the hook's Expires is not a date like Fri, 20 Nov 2026 17:57:12 GMT");
  return time;
}
