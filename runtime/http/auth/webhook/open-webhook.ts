/** Authenticates requests by a webhook. */

import type { LogLevel } from "../../../config/log-types.ts";
import { redacted } from "../../../config/secret.ts";
import type { Log } from "../../../observe/logs/log.ts";
import type { HttpReply } from "../../../outbound/http-call.ts";
import { callFailure, HttpClient } from "../../../outbound/http-client.ts";
import type { AuthenticatedSession } from "../../../ports/authentication.ts";
import type { RequestHeaders } from "../../../ports/headers.ts";
import { unexpectedKind } from "../../../values/describe-json.ts";
import { EngineError } from "../../../values/errors.ts";
import { isObject } from "../../../values/is-object.ts";
import { parseJson } from "../../../values/json/parse.ts";
import { defaultOutboundRules, type OutboundRules } from "../../../values/outbound-rules.ts";
import { sessionPrefix } from "../../../values/session.ts";
import { mismatchText, toEngineNames } from "../../../values/session-alias.ts";
import { lifetimeOf, parseCacheControl, parseHttpDate } from "../cache-headers.ts";
import type { CredentialCheck } from "../credential-check.ts";
import { accessKeyHeader, adminSecretHeader, decodeHeader, roleHeader } from "../headers.ts";
import { parseScopes } from "../scopes.ts";
import { type HookSettings, hookCall } from "./hook-call.ts";

export interface OpenWebhook {
  readonly check: CredentialCheck;
  /** Aborts calls in progress. */
  close(): Promise<void>;
}

const limits = { milliseconds: 10_000, connections: 100, callsAtOnce: 10_000, responseBytes: 256 * 1024, redirects: 0 };

export function openWebhook(
  settings: HookSettings,
  { outbound = defaultOutboundRules, ...tools }: Omit<HookTools, "client"> & { readonly outbound?: OutboundRules },
): OpenWebhook {
  const client = new HttpClient({ ...limits, outbound });
  return { check: webhookCheck(settings, { ...tools, client }), close: () => client.close() };
}

interface HookTools {
  readonly client: HttpClient;
  readonly log: Log;
  /** The product version. */
  readonly version: string;
  /** The alternative prefix of names in the hook's responses, if any. */
  readonly alias?: string | null;
}

function webhookCheck(settings: HookSettings, { client, log, version, alias = null }: HookTools): CredentialCheck {
  const logCall = (level: Exclude<LogLevel, "debug">, outcome: Outcome): void =>
    log[level]("webhook-log", {
      status_code: outcome.reply?.status ?? null,
      url: settings.url.toString(),
      method: settings.method.toUpperCase(),
      http_error: outcome.httpError ?? null,
      response: outcome.response ?? null,
      message: outcome.message ?? null,
    });
  return async (headers, context) => {
    const call = await hookCall(settings, context.sent, context, version);
    let reply: HttpReply;
    try {
      reply = await client.call(call);
    } catch (error) {
      logCall("error", { httpError: callFailure(error), message: unreachable });
      throw new EngineError("unexpected", "$", unreachable, { status: 500, cause: error });
    }
    try {
      const session = readHookReply(reply, {
        now: Date.now(),
        alias,
        warn: (message) => logCall("warn", { reply, message }),
      });
      logCall("info", { reply });
      return session;
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      logCall("error", { reply, response: shownReply(reply, headers), message: error.message });
      throw error;
    }
  };
}

const unreachable = "webhook authentication request failed";

interface Outcome {
  readonly reply?: HttpReply;
  readonly httpError?: string;
  readonly response?: string | null;
  readonly message?: string;
}

const maxShownLength = 1000;
const minSecretLength = 6;
/** The maximum number of character comparisons: redacting a request with too many words would block the server. */
const maxComparisons = 10_000_000;

/**
 * Returns the hook's response for the log. Parts that repeat the request's headers are redacted, because they may be
 * credentials.
 */
function shownReply({ status, text }: HttpReply, headers: RequestHeaders): string | null {
  // A response with status 200 contains session variables.
  if (status === 200) return null;
  const values = Object.values(headers).flatMap((value) => (value === undefined ? [] : decodeHeader(value)));
  const parts = values.flatMap((value) => [value, ...value.split(/[\s;,=]+/)]);
  const secrets = [...new Set(parts)]
    .filter((part) => part.length >= minSecretLength)
    .sort((a, b) => b.length - a.length);
  if (secrets.length * text.length > maxComparisons) return null;
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, redacted), text).slice(0, maxShownLength);
}

export type HookReply = Pick<HttpReply, "status" | "headers" | "text">;

interface HookReplyTools {
  /** The time in milliseconds since 1970. */
  readonly now: number;
  /** The alternative prefix of names, if any. */
  readonly alias: string | null;
  /** Receives messages about malformed members, which are ignored. */
  readonly warn: (message: string) => void;
}

/**
 * Reads the session from a hook's response.
 * @throws EngineError
 */
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
  // As in token introspection (RFC 7662, section 2.2).
  const scopes = members.scope === undefined ? undefined : parseScopes(members.scope);
  const more = { ...(expiresAt !== undefined && { expiresAt }), ...(scopes && { scopes }) };
  return { role, variables, backendOnly: false, setCookies, ...more };
}

function ownMembers(members: Members, alias: string | null): Iterable<readonly [string, string]> {
  const lower = Object.entries(members).map(([name, value]) => [name.toLowerCase(), value] as const);
  if (alias === null) return lower;
  const own = toEngineNames(lower, alias);
  if ("mixed" in own) throw invalidReply(`: ${mismatchText(own)}`);
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

/**
 * Returns the expiry in milliseconds since 1970, if any. Unlike header names, the names of these members are
 * case-sensitive.
 */
function expiry(members: Members, now: number, warn: (message: string) => void): number | undefined {
  const { "Cache-Control": cacheControl, Expires: expires } = members;
  if (cacheControl !== undefined) {
    const directives = parseCacheControl(cacheControl);
    const lifetime = directives && lifetimeOf(directives);
    if (lifetime !== undefined) return now + lifetime * 1000;
    warn("ignored the hook's Cache-Control: it has no valid max-age");
  }
  if (expires === undefined) return undefined;
  const time = parseHttpDate(expires);
  if (time === undefined) warn("ignored the hook's Expires: it is not a date like Fri, 20 Nov 2026 17:57:12 GMT");
  return time;
}
