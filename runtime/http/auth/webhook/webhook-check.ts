/** Authentication by webhook: every request asks it anew (`permissions-and-auth.md` 5). */

import type { LogLevel } from "../../../config/log-types.ts";
import { redacted } from "../../../config/secret.ts";
import type { Log } from "../../../observe/logs/log.ts";
import type { HttpReply } from "../../../outbound/http-call.ts";
import { callFailure, type HttpClient } from "../../../outbound/http-client.ts";
import type { RequestHeaders } from "../../../ports/headers.ts";
import { EngineError } from "../../../values/errors.ts";
import type { CredentialCheck } from "../credential-check.ts";
import { decodeHeader } from "../headers.ts";
import { type HookSettings, hookCall } from "./hook-call.ts";
import { readHookReply } from "./hook-reply.ts";

export interface HookTools {
  readonly client: HttpClient;
  readonly log: Log;
  /** Of the product. */
  readonly version: string;
  /** Another prefix that its answers may have in place of ours; absent: there is none. */
  readonly alias?: string | null;
}

export function webhookCheck(
  settings: HookSettings,
  { client, log, version, alias = null }: HookTools,
): CredentialCheck {
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

const longestShown = 1000;
const shortestSecret = 6;
/** Characters to compare: a request of very many words must not keep the server busy with the log. */
const mostComparing = 10_000_000;

/** What a refusing hook says helps whoever reads the log; what it repeats of the request may be a credential. */
function shownReply({ status, text }: HttpReply, headers: RequestHeaders): string | null {
  // A reply of status 200 holds session variables.
  if (status === 200) return null;
  const given = Object.values(headers).flatMap((value) => (value === undefined ? [] : decodeHeader(value)));
  const parts = given.flatMap((value) => [value, ...value.split(/[\s;,=]+/)]);
  const secrets = [...new Set(parts)]
    .filter((part) => part.length >= shortestSecret)
    .sort((a, b) => b.length - a.length);
  if (secrets.length * text.length > mostComparing) return null;
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, redacted), text).slice(0, longestShown);
}
