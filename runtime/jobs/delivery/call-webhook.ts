/** One attempt to tell a webhook something: the call, and what is to be remembered of it (`docs/event-triggers.md`). */

import { transformBudget } from "../../model/templates/budget.ts";
import type { ResponseTransform } from "../../model/templates/definition.ts";
import type { JsonValue } from "../../model/templates/json-value.ts";
import type { Outcome, TemplateError } from "../../model/templates/template-error.ts";
import { transformResponse } from "../../model/templates/transform-response.ts";
import type { HttpReply } from "../../outbound/http-call.ts";
import { callFailure, type HttpClient } from "../../outbound/http-client.ts";
import { EngineError } from "../../values/errors.ts";
import { type Interruptible, promptly } from "../../values/interruptible.ts";
import { stringifyJson } from "../../values/json-number.ts";
import { parseJson } from "../../values/parse-json.ts";
import { shortage } from "../../values/shortage.ts";
import { errorResponse, type InvocationLog, type LogVersion, requestText, webhookResponse } from "./invocation-log.ts";
import { type CallSettings, type PreparedCall, prepareCall, type WebhookPayload } from "./prepare-call.ts";
import type { Webhook } from "./webhook.ts";

export interface CallWebhookSettings extends CallSettings {
  readonly client: Pick<HttpClient, "call">;
  /** In bytes: so much of an answer is stored. */
  readonly storedAnswerBytes: number;
  /** Of what is stored. */
  readonly logVersion: LogVersion;
}

export interface WebhookAttempt extends WebhookPayload {
  /** What is stored when there is no answer in time. */
  readonly timeoutMessage: string;
}

export type CallOutcome =
  /** Answered with 2xx. */
  | { readonly kind: "delivered"; readonly log: InvocationLog }
  | {
      readonly kind: "failed";
      readonly log: InvocationLog;
      /** `undefined`: there was no answer. */
      readonly status: number | undefined;
      readonly retryAfter: string | undefined;
    }
  /** The process could not make the call (`shortage.ts`): no attempt. Nothing is stored. */
  | { readonly kind: "unmade" }
  /** A transform does not fit: another attempt would fail as well. Nothing is stored. */
  | { readonly kind: "refused"; readonly which: "request" | "response"; readonly errors: readonly TemplateError[] };

/** Of a call that was made, or never can be. */
export type AttemptOutcome = Exclude<CallOutcome, { readonly kind: "unmade" }>;

/** In milliseconds: no attempt may take longer than a lock lasts. */
const longestAttempt = 30 * 60 * 1000;
/** In bytes: a longer answer is nothing for a template. */
const longestTransformed = 1024 * 1024;

/** Never rejects. */
export async function callWebhook(
  webhook: Webhook,
  attempt: WebhookAttempt,
  settings: CallWebhookSettings,
): Promise<CallOutcome> {
  const { responseTransform, definition } = webhook;
  const milliseconds = Math.min(Math.max(definition.retry.timeoutSeconds, 0) * 1000, longestAttempt);
  const end = performance.now() + milliseconds;
  const prepared = await prepareCall(webhook, attempt, settings, milliseconds);
  if (prepared.kind === "refused") return { kind: "refused", which: "request", errors: prepared.errors };
  if (prepared.kind === "unready") {
    const request = requestText({ headers: [], payload: attempt.text }, settings.logVersion);
    const log = { status: 500, request, response: errorResponse(prepared.message, settings.logVersion) };
    return { kind: "failed", log, status: undefined, retryAfter: undefined };
  }
  const request = requestText(prepared.shown, settings.logVersion);
  const { storedAnswerBytes, client, logVersion } = settings;
  try {
    const reply = await client.call({
      ...prepared.call,
      span: attempt.span,
      milliseconds: Math.max(0, end - performance.now()),
      keptBytes: responseTransform ? Math.max(storedAnswerBytes, longestTransformed) : storedAnswerBytes,
    });
    return await answered(reply, { request, prepared, responseTransform, attempt, storedAnswerBytes, logVersion, end });
  } catch (error) {
    if (shortage.isCauseOf(error)) return { kind: "unmade" };
    const message = isTimeout(error)
      ? attempt.timeoutMessage
      : JSON.stringify({ type: "http_exception", message: callFailure(error) });
    const log = { status: null, request, response: errorResponse(message, logVersion) };
    return { kind: "failed", log, status: undefined, retryAfter: undefined };
  }
}

interface Answered {
  readonly request: string;
  readonly prepared: PreparedCall;
  readonly responseTransform: Outcome<ResponseTransform> | undefined;
  readonly attempt: WebhookAttempt;
  readonly storedAnswerBytes: number;
  readonly logVersion: LogVersion;
  /** Of the attempt, by the clock of `performance.now`. */
  readonly end: number;
}

async function answered(
  reply: HttpReply,
  { request, storedAnswerBytes, logVersion, ...rest }: Answered,
): Promise<CallOutcome> {
  const { status, headers } = reply;
  if (status < 200 || status >= 300) {
    const retryAfter = headers["retry-after"];
    const log = { status, request, response: errorResponse(beginning(reply.text, storedAnswerBytes), logVersion) };
    return { kind: "failed", log, status, retryAfter: typeof retryAfter === "string" ? retryAfter : undefined };
  }
  const body = await promptly(transformedBody(reply, rest));
  if (!body.ok) return { kind: "refused", which: "response", errors: body.errors };
  const stored = beginning(body.value, storedAnswerBytes);
  const isCut = reply.isCut === true || stored !== body.value;
  return {
    kind: "delivered",
    log: { status, request, response: webhookResponse(reply, stored, { isCut, version: logVersion }) },
  };
}

function* transformedBody(
  { status, text, isCut }: HttpReply,
  { responseTransform, attempt, prepared, end }: Omit<Answered, "request" | "storedAnswerBytes" | "logVersion">,
): Interruptible<Outcome<string>> {
  if (responseTransform === undefined) return { ok: true, value: text };
  if (!responseTransform.ok) return responseTransform;
  const { original } = prepared;
  // The session stands in the payload, which is read once where the request was transformed, too.
  const sessionVariables = original?.sessionVariables ?? attempt.sessionVariables(jsonOrNull(attempt.text));
  const body = isCut ? null : jsonOrNull(text);
  const response = { status, body, sessionVariables, request: original };
  const outcome = yield* transformResponse(responseTransform.value, response, transformBudget(end - performance.now()));
  if (!outcome.ok) return outcome;
  switch (outcome.value.kind) {
    case "unchanged":
      return { ok: true, value: text };
    case "none":
      return { ok: true, value: "" };
    case "json":
      return { ok: true, value: stringifyJson(outcome.value.value) };
  }
}

function jsonOrNull(text: string): JsonValue {
  try {
    return parseJson(text) as JsonValue;
  } catch (error) {
    if (error instanceof EngineError) return null;
    throw error;
  }
}

/** The beginning that fits into so many bytes of UTF-8, in whole characters. */
function beginning(text: string, bytes: number): string {
  if (text.length * 3 <= bytes) return text;
  const encoded = Buffer.from(text, "utf8");
  if (encoded.length <= bytes) return text;
  return new TextDecoder().decode(encoded.subarray(0, bytes), { stream: true });
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === "TimeoutError";
}
