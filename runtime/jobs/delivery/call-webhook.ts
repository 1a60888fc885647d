/** Makes one call to a webhook and returns the outcome with the invocation log (`docs/how-to/event-triggers.md`). */

import { transformBudget } from "../../model/templates/budget.ts";
import type { ResponseTransform } from "../../model/templates/definition.ts";
import type { JsonValue } from "../../model/templates/json-value.ts";
import type { Outcome, TemplateError } from "../../model/templates/template-error.ts";
import { transformResponse } from "../../model/templates/transform-response.ts";
import type { HttpReply } from "../../outbound/http-call.ts";
import { callFailure, type HttpClient } from "../../outbound/http-client.ts";
import { EngineError } from "../../values/errors.ts";
import { type Interruptible, runUntilFirstYield } from "../../values/interruptible.ts";
import { parseJson } from "../../values/json/parse.ts";
import { stringifyJson } from "../../values/json-number.ts";
import { shortage } from "../../values/shortage.ts";
import { errorResponse, type InvocationLog, type LogVersion, requestText, webhookResponse } from "./invocation-log.ts";
import { type CallSettings, type PreparedCall, prepareCall, type WebhookPayload } from "./prepare-call.ts";
import type { Webhook } from "./webhook.ts";

export interface CallWebhookSettings extends CallSettings {
  readonly client: Pick<HttpClient, "call">;
  /** Maximum number of response bytes that are stored. */
  readonly storedResponseBytes: number;
  /** Version of the stored invocation log. */
  readonly logVersion: LogVersion;
}

export interface WebhookAttempt extends WebhookPayload {
  /** Text stored as the response after a timeout. */
  readonly timeoutMessage: string;
}

export type CallOutcome =
  /** Outcome of a response with a 2xx status. */
  | { readonly kind: "delivered"; readonly log: InvocationLog }
  | {
      readonly kind: "failed";
      readonly log: InvocationLog;
      /** `undefined` if there was no response. */
      readonly status: number | undefined;
      readonly retryAfter: string | undefined;
    }
  /** The process was short of a resource (`shortage.ts`). This is not counted as an attempt, and nothing is stored. */
  | { readonly kind: "unmade" }
  /** A transform failed. A retry would fail in the same way. Nothing is stored. */
  | { readonly kind: "refused"; readonly which: "request" | "response"; readonly errors: readonly TemplateError[] };

/** The outcome of an attempt that either took place or can never take place. */
export type AttemptOutcome = Exclude<CallOutcome, { readonly kind: "unmade" }>;

/** Maximum duration of an attempt in milliseconds: a lock is released after this time. */
const maxAttemptMilliseconds = 30 * 60 * 1000;
/** Maximum size in bytes of a response that a transform may read. */
const maxTransformedBytes = 1024 * 1024;

/** Calls the webhook once. Never rejects. */
export async function callWebhook(
  webhook: Webhook,
  attempt: WebhookAttempt,
  settings: CallWebhookSettings,
): Promise<CallOutcome> {
  const { responseTransform, definition } = webhook;
  const milliseconds = Math.min(Math.max(definition.retry.timeoutSeconds, 0) * 1000, maxAttemptMilliseconds);
  const end = performance.now() + milliseconds;
  const prepared = await prepareCall(webhook, attempt, settings, milliseconds);
  if (prepared.kind === "refused") return { kind: "refused", which: "request", errors: prepared.errors };
  if (prepared.kind === "unready") {
    const request = requestText({ headers: [], payload: attempt.text }, settings.logVersion);
    const log = { status: 500, request, response: errorResponse(prepared.message, settings.logVersion) };
    return { kind: "failed", log, status: undefined, retryAfter: undefined };
  }
  const request = requestText(prepared.shown, settings.logVersion);
  const { storedResponseBytes: storedAnswerBytes, client, logVersion } = settings;
  try {
    const reply = await client.call({
      ...prepared.call,
      span: attempt.span,
      milliseconds: Math.max(0, end - performance.now()),
      keptBytes: responseTransform ? Math.max(storedAnswerBytes, maxTransformedBytes) : storedAnswerBytes,
    });
    return await replyOutcome(reply, {
      request,
      prepared,
      responseTransform,
      attempt,
      storedAnswerBytes,
      logVersion,
      end,
    });
  } catch (error) {
    if (shortage.isCauseOf(error)) return { kind: "unmade" };
    const message = isTimeout(error)
      ? attempt.timeoutMessage
      : JSON.stringify({ type: "http_exception", message: callFailure(error) });
    const log = { status: null, request, response: errorResponse(message, logVersion) };
    return { kind: "failed", log, status: undefined, retryAfter: undefined };
  }
}

interface ReplyContext {
  readonly request: string;
  readonly prepared: PreparedCall;
  readonly responseTransform: Outcome<ResponseTransform> | undefined;
  readonly attempt: WebhookAttempt;
  readonly storedAnswerBytes: number;
  readonly logVersion: LogVersion;
  /** Deadline of the attempt on the clock of `performance.now`. */
  readonly end: number;
}

async function replyOutcome(
  reply: HttpReply,
  { request, storedAnswerBytes, logVersion, ...rest }: ReplyContext,
): Promise<CallOutcome> {
  const { status, headers } = reply;
  if (status < 200 || status >= 300) {
    const retryAfter = headers["retry-after"];
    const log = { status, request, response: errorResponse(truncated(reply.text, storedAnswerBytes), logVersion) };
    return { kind: "failed", log, status, retryAfter: typeof retryAfter === "string" ? retryAfter : undefined };
  }
  const body = await runUntilFirstYield(transformedBody(reply, rest));
  if (!body.ok) return { kind: "refused", which: "response", errors: body.errors };
  const stored = truncated(body.value, storedAnswerBytes);
  const isCut = reply.isCut === true || stored !== body.value;
  return {
    kind: "delivered",
    log: { status, request, response: webhookResponse(reply, stored, { isCut, version: logVersion }) },
  };
}

function* transformedBody(
  { status, text, isCut }: HttpReply,
  { responseTransform, attempt, prepared, end }: Omit<ReplyContext, "request" | "storedAnswerBytes" | "logVersion">,
): Interruptible<Outcome<string>> {
  if (responseTransform === undefined) return { ok: true, value: text };
  if (!responseTransform.ok) return responseTransform;
  const { original } = prepared;
  // Session variables come from the payload, which a request transform has already parsed.
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

/** Returns the longest prefix of whole characters that fits into `bytes` bytes of UTF-8. */
function truncated(text: string, bytes: number): string {
  if (text.length * 3 <= bytes) return text;
  const encoded = Buffer.from(text, "utf8");
  if (encoded.length <= bytes) return text;
  return new TextDecoder().decode(encoded.subarray(0, bytes), { stream: true });
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === "TimeoutError";
}
