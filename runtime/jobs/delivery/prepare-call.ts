/**
 * Builds the request for a webhook and a payload, and its form for the invocation log (`docs/how-to/event-triggers.md`,
 * `docs/how-to/actions.md`).
 */
import type { ConfiguredUrl } from "../../model/definitions/events/event-trigger.ts";
import type { WebhookHeader } from "../../model/definitions/input-validation.ts";
import { type Budget, transformBudget } from "../../model/templates/budget.ts";
import type { RequestTransform } from "../../model/templates/definition.ts";
import type { JsonValue } from "../../model/templates/json-value.ts";
import type { Header, OutgoingRequest, SessionVariables } from "../../model/templates/scope.ts";
import type { Outcome, TemplateError } from "../../model/templates/template-error.ts";
import { type RequestBody, transformRequest } from "../../model/templates/transform-request.ts";
import { traceHeaders } from "../../outbound/call-headers.ts";
import type { HttpCall } from "../../outbound/http-call.ts";
import type { RequestHeaders } from "../../ports/headers.ts";
import { missingVariables, resolveTemplate } from "../../values/environment-template.ts";
import { type Interruptible, runUntilFirstYield } from "../../values/interruptible.ts";
import { parseDatabaseJson } from "../../values/json/parse.ts";
import { stringifyJson } from "../../values/json-number.ts";
import type { Span } from "../../values/span.ts";
import { signatureHeaders, signingKey } from "./signature.ts";
import type { Webhook } from "./webhook.ts";

/** The payload of a webhook call. */
export interface WebhookPayload {
  /** Event id, the same for every attempt. */
  readonly id: string;
  /** JSON text, sent unchanged unless a transform replaces the body. */
  readonly text: string;
  /** Returns the session variables that transforms may reference. */
  sessionVariables(payload: JsonValue): SessionVariables;
  /** B3 headers of the trace that caused the event. */
  readonly trace: RequestHeaders;
  /** Absent if the call is not traced. */
  readonly span?: Span;
}

export interface CallSettings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Product version. */
  readonly version: string;
  /** Returns the time in milliseconds since 1970. */
  now(): number;
}

/** A header in the form that is logged. A value from the environment is replaced by the name of its variable. */
export type ShownHeader =
  | { readonly name: string; readonly value: string }
  | { readonly name: string; readonly value_from_env: string };

export interface PreparedCall {
  readonly call: Pick<HttpCall, "method" | "url" | "headers" | "body">;
  readonly shown: {
    readonly headers: readonly ShownHeader[];
    /** JSON text of the body sent. */
    readonly payload: string;
  };
  /** The request before its transform; `null` without a transform. */
  readonly original: OutgoingRequest | null;
}

export type Preparation =
  | ({ readonly kind: "ready" } & PreparedCall)
  /** An environment variable is missing. A retry may succeed. */
  | { readonly kind: "unready"; readonly message: string }
  /** The transform failed for this payload. A retry would fail in the same way. */
  | { readonly kind: "refused"; readonly errors: readonly TemplateError[] };

/**
 * Builds the request.
 * @param milliseconds time limit of a transform
 */
export async function prepareCall(
  webhook: Webhook,
  payload: WebhookPayload,
  settings: CallSettings,
  milliseconds: number,
): Promise<Preparation> {
  const { environment, version, now } = settings;
  const { url, headers, signingSecrets = [] } = webhook.definition;
  const missing = [
    ...new Set([...missingIn(url, headers, environment), ...signingSecrets.filter(isUnset(environment))]),
  ];
  if (missing.length > 0) {
    const message = `Error creating the request. The value for environment variables not found: ${missing.join(", ")}`;
    return { kind: "unready", message };
  }
  const keys = signingSecrets.map((name) => ({ name, key: signingKey(environment[name] ?? "") }));
  const unusable = keys.find(({ key }) => key === undefined);
  if (unusable)
    return { kind: "unready", message: `${unusable.name} is not a signing secret (whsec_ followed by base64)` };
  const untransformed = {
    url: "fromEnv" in url ? (environment[url.fromEnv] ?? "") : resolveTemplate(url.template, environment),
    headers: ownHeaders(headers, environment, version),
  };
  const budget = transformBudget(milliseconds);
  const sent = await runUntilFirstYield(composeRequest(webhook.requestTransform, payload, untransformed, budget));
  if (!sent.ok) return { kind: "refused", errors: sent.errors };
  const { method, body, original } = sent.value;
  const signed = { id: payload.id, time: now(), body: body.text ?? "" };
  const call = {
    method,
    url: sent.value.url,
    headers: {
      ...byName(sent.value.headers),
      ...traceHeaders(payload.trace, payload.span),
      ...(keys.length > 0 &&
        signatureHeaders(
          signed,
          keys.flatMap(({ key }) => key ?? []),
        )),
    },
    ...(body.text !== undefined && { body: body.text }),
  };
  const shown = { headers: sent.value.headers.map((header) => shownHeader(header, headers)), payload: body.shown };
  return { kind: "ready", call, shown, original };
}

interface Composed {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly Header[];
  readonly body: BodyText;
  readonly original: OutgoingRequest | null;
}

interface BodyText {
  /** Absent if no body is sent. */
  readonly text?: string;
  readonly shown: string;
}

function* composeRequest(
  transform: Outcome<RequestTransform> | undefined,
  { text, sessionVariables }: WebhookPayload,
  { url, headers }: Pick<OutgoingRequest, "url" | "headers">,
  budget: Budget,
): Interruptible<Outcome<Composed>> {
  const method = "POST";
  if (transform === undefined) {
    return { ok: true, value: { method, url, headers, body: { text, shown: text }, original: null } };
  }
  if (!transform.ok) return transform;
  const payload = parseDatabaseJson(text) as JsonValue;
  const original = { method, url, headers, body: payload, sessionVariables: sessionVariables(payload) };
  const transformed = yield* transformRequest(transform.value, original, budget);
  if (!transformed.ok) return transformed;
  // Without a body template, the payload is sent byte for byte.
  const body = transform.value.body ? bodyText(transformed.value.body) : { text, shown: text };
  return { ok: true, value: { ...transformed.value, body, original } };
}

function bodyText(body: RequestBody): BodyText {
  switch (body.kind) {
    case "none":
      return { shown: "null" };
    case "form":
      return { text: body.text, shown: JSON.stringify(body.text) };
    case "json": {
      const text = stringifyJson(body.value);
      return { text, shown: text };
    }
  }
}

function missingIn(
  url: ConfiguredUrl,
  headers: readonly WebhookHeader[],
  environment: CallSettings["environment"],
): readonly string[] {
  const names = headers.flatMap((header) => ("value" in header ? [] : [header.valueFromEnv]));
  const templates = headers.flatMap((header) => ("value" in header ? [header.value] : []));
  const all =
    "fromEnv" in url
      ? { names: [url.fromEnv, ...names], templates }
      : { names, templates: [url.template, ...templates] };
  return [
    ...all.names.filter(isUnset(environment)),
    ...all.templates.flatMap((template) => missingVariables(template, environment)),
  ];
}

function isUnset(environment: CallSettings["environment"]): (name: string) => boolean {
  return (name) => environment[name] === undefined;
}

/** Headers that the product sets and the configuration cannot change. */
const reserved: ReadonlySet<string> = new Set(["content-type", "user-agent"]);

function ownHeaders(
  configured: readonly WebhookHeader[],
  environment: CallSettings["environment"],
  version: string,
): readonly Header[] {
  const given = configured.filter(({ name }) => !reserved.has(name.toLowerCase()));
  return [
    ["Content-Type", "application/json"],
    ["User-Agent", `engine-graphql-engine/v${version}`],
    ...given.map((header): Header => {
      const value = "value" in header ? resolveTemplate(header.value, environment) : environment[header.valueFromEnv];
      return [header.name, value ?? ""];
    }),
  ];
}

/**
 * Groups headers by name. Values are sent as UTF-8, one byte per character of the string; repeated names are sent
 * repeatedly.
 */
function byName(headers: readonly Header[]): Record<string, readonly string[]> {
  const values = new Map<string, string[]>();
  for (const [name, value] of headers) {
    const wire = Buffer.from(value, "utf8").toString("latin1");
    values.set(name.toLowerCase(), [...(values.get(name.toLowerCase()) ?? []), wire]);
  }
  return Object.fromEntries(values);
}

function shownHeader([name, value]: Header, configured: readonly WebhookHeader[]): ShownHeader {
  const found = configured.find((header) => header.name.toLowerCase() === name.toLowerCase());
  if (found === undefined || reserved.has(name.toLowerCase())) return { name, value };
  return "value" in found ? { name, value: found.value } : { name, value_from_env: found.valueFromEnv };
}
