/** Builds requests to action handlers: headers and body, transformed and signed (`docs/how-to/actions.md`). */
import { randomUUID } from "node:crypto";
import { signatureHeaders, signingKey } from "../../jobs/delivery/signature.ts";
import type { ActionDefinition, ActionHandler } from "../../model/definitions/actions/action.ts";
import { transformBudget } from "../../model/templates/budget.ts";
import {
  compileRequestTransform,
  compileResponseTransform,
  type RequestTransform,
  type ResponseTransform,
} from "../../model/templates/definition.ts";
import type { JsonObject, JsonValue } from "../../model/templates/json-value.ts";
import type { OutgoingRequest } from "../../model/templates/scope.ts";
import type { Outcome } from "../../model/templates/template-error.ts";
import { transformRequest } from "../../model/templates/transform-request.ts";
import { callHeaders, type HeaderSettings } from "../../outbound/call-headers.ts";
import type { HttpCall } from "../../outbound/http-call.ts";
import { compileTemplate } from "../../values/environment-template.ts";
import { EngineError } from "../../values/errors.ts";
import { type Interruptible, runUntilFirstYield } from "../../values/interruptible.ts";
import { parseDatabaseJson } from "../../values/json/parse.ts";
import { stringifyJson } from "../../values/json-number.ts";
import { quoted } from "../../values/quoted.ts";
import type { Session } from "../../values/session.ts";

/** The JSON body before any transform. */
export interface ActionPayload {
  readonly action: { readonly name: string };
  readonly input: Readonly<Record<string, unknown>>;
  readonly session_variables: Readonly<Record<string, string>>;
  /** The document that the client sent; `null` for asynchronous calls. */
  readonly request_query: string | null;
}

export interface HandlerRequest {
  readonly call: Pick<HttpCall, "method" | "url" | "headers" | "body">;
  /** The payload as JSON text, before the transform. */
  readonly text: string;
  readonly payload: () => ActionPayload;
  /** The request before its transform; `null` without a transform. */
  readonly original: OutgoingRequest | null;
  readonly transforms: Transforms;
}

export interface RequestSettings extends HeaderSettings {
  /** Returns the time in milliseconds since 1970. */
  now(): number;
}

export interface HandlerInput {
  readonly action: ActionDefinition;
  readonly input: ActionPayload["input"];
  readonly session: Pick<Session, "variables" | "clientHeaders" | "span">;
  /** The document that the client sent; `null` for asynchronous calls. */
  readonly query: string | null;
  /** Identical for all attempts; absent for calls without retries. */
  readonly id?: string;
}

/**
 * Builds the request.
 * @param milliseconds time limit of the transform
 * @returns a promise if the transform is slow
 * @throws EngineError `unexpected` if a transform fails or a secret is missing
 */
export function handlerRequest(
  handlerInput: HandlerInput,
  settings: RequestSettings,
  milliseconds: number,
): HandlerRequest | Promise<HandlerRequest> {
  const { action, session } = handlerInput;
  const { handler } = action;
  const text = payloadText(handlerInput);
  const payload = () => payloadOf(handlerInput);
  const headers = callHeaders(
    {
      configured: handler.headers,
      client: session.clientHeaders ?? {},
      forwardClient: handler.forwardClientHeaders,
      ignored: handler.ignoredClientHeaders,
      span: session.span,
    },
    settings,
  );
  const transforms = transformsOf(handler);
  const url = transforms.url(settings.environment);
  const plain = { method: "POST", url, headers, body: text };
  if (!transforms.request)
    return { call: signed(plain, handlerInput, settings), payload, text, original: null, transforms };
  const original: OutgoingRequest = {
    method: "POST",
    url,
    headers: Object.entries(headers).map(([header, value]) => [header, textOf(value)]),
    body: parseDatabaseJson(text) as JsonValue,
    sessionVariables: payload().session_variables,
  };
  const use = (call: Outcome<Call>): HandlerRequest => {
    if (call.ok) return { call: signed(call.value, handlerInput, settings), payload, text, original, transforms };
    const internal = { error: { errors: call.errors }, request: requestInfo(action, payload()), response: null };
    throw new EngineError("unexpected", "$", "Request Transformation Failed", { status: 500, internal });
  };
  const call = runUntilFirstYield(transformed(transforms.request, original, milliseconds));
  return call instanceof Promise ? call.then(use) : use(call);
}

function payloadOf({ action: { name }, input, session, query }: HandlerInput): ActionPayload {
  return {
    action: { name },
    input,
    session_variables: Object.fromEntries(session.variables),
    request_query: query,
  };
}

/** Returns the JSON text of the payload without building the payload object first. */
function payloadText({ action: { name }, input, session, query }: HandlerInput): string {
  let variables = "";
  for (const [variable, value] of session.variables) {
    variables += `${variables === "" ? "" : ","}${quoted(variable)}:${quoted(value)}`;
  }
  return (
    `{"action":{"name":${quoted(name)}},"input":${stringifyJson(input)},"session_variables":{${variables}}` +
    `,"request_query":${query === null ? "null" : quoted(query)}}`
  );
}

type Call = HandlerRequest["call"];

function* transformed(
  transform: NonNullable<Transforms["request"]>,
  original: OutgoingRequest,
  milliseconds: number,
): Interruptible<Outcome<Call>> {
  if (!transform.ok) return transform;
  const outcome = yield* transformRequest(transform.value, original, transformBudget(milliseconds));
  if (!outcome.ok) return outcome;
  const { method, url, headers, body } = outcome.value;
  const call = { method, url, headers: byName(headers) };
  switch (body.kind) {
    case "none":
      return { ok: true, value: call };
    case "form":
      return { ok: true, value: { ...call, body: body.text } };
    case "json":
      return { ok: true, value: { ...call, body: stringifyJson(body.value) } };
  }
}

/** Decodes a header value for templates, because values from clients have one character per byte. */
function textOf(value: string): string {
  const isBytes = [...value].every((character) => character <= "\u00ff");
  return isBytes ? Buffer.from(value, "latin1").toString("utf8") : value;
}

/** Groups headers by name, and encodes values as UTF-8 with one character per byte. */
function byName(headers: OutgoingRequest["headers"]): Record<string, readonly string[]> {
  const values = new Map<string, string[]>();
  for (const [name, value] of headers) {
    const wire = Buffer.from(value, "utf8").toString("latin1");
    values.set(name.toLowerCase(), [...(values.get(name.toLowerCase()) ?? []), wire]);
  }
  return Object.fromEntries(values);
}

function signed(
  call: Call,
  { action: { name, handler }, id }: HandlerInput,
  { environment, now }: RequestSettings,
): Call {
  const { signingSecrets = [] } = handler;
  if (signingSecrets.length === 0) return call;
  const keys = signingSecrets.map((secret) => {
    const key = signingKey(environment[secret] ?? "");
    if (key !== undefined) return key;
    const internal = `${secret} is not a signing secret: expected whsec_ followed by base64`;
    throw new EngineError("unexpected", "$", `the calls of action "${name}" cannot be signed`, {
      status: 500,
      internal,
    });
  });
  const message = { id: id ?? randomUUID(), time: now(), body: call.body ?? "" };
  return { ...call, headers: { ...call.headers, ...signatureHeaders(message, keys) } };
}

/**
 * Describes a request for `internal` of errors. URL and headers appear as in the metadata, because their values may be
 * secret.
 */
export function requestInfo(
  { handler: { url, headers } }: ActionDefinition,
  body: ActionPayload,
  transformedBody: string | null = null,
) {
  const shown = headers.map((header) =>
    "value" in header ? header : { name: header.name, value_from_env: header.valueFromEnv },
  );
  return { url, headers: shown, body, transformed_request: transformedBody };
}

// Templates and transforms of handlers, compiled on first use.

interface Transforms {
  readonly url: ReturnType<typeof compileTemplate>;
  readonly request: Outcome<RequestTransform> | undefined;
  readonly response: Outcome<ResponseTransform> | undefined;
}

const compiledTransforms = new WeakMap<ActionHandler, Transforms>();

function transformsOf(handler: ActionHandler): Transforms {
  let transforms = compiledTransforms.get(handler);
  if (transforms === undefined) {
    const { url, requestTransform, responseTransform } = handler;
    transforms = {
      url: compileTemplate(url),
      request: requestTransform && compileRequestTransform(jsonOf(requestTransform)),
      response: responseTransform && compileResponseTransform(jsonOf(responseTransform)),
    };
    compiledTransforms.set(handler, transforms);
  }
  return transforms;
}

/** Casts a transform to a JSON object. Transforms in the metadata are always JSON. */
function jsonOf(transform: object): JsonObject {
  return Object.fromEntries(Object.entries(transform));
}
