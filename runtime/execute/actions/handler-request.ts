/** What the handler of an action is asked: headers and body, transformed and signed (`docs/actions.md`). */
import { randomUUID } from "node:crypto";
import { signatureHeaders, signingKey } from "../../jobs/delivery/signature.ts";
import type { ActionDefinition } from "../../model/definitions/actions/action.ts";
import { transformBudget } from "../../model/templates/budget.ts";
import type { JsonValue } from "../../model/templates/json-value.ts";
import type { OutgoingRequest } from "../../model/templates/scope.ts";
import type { Outcome } from "../../model/templates/template-error.ts";
import { transformRequest } from "../../model/templates/transform-request.ts";
import { callHeaders, type HeaderSettings } from "../../outbound/call-headers.ts";
import type { HttpCall } from "../../outbound/http-call.ts";
import { EngineError } from "../../values/errors.ts";
import { type Interruptible, promptly } from "../../values/interruptible.ts";
import { stringifyJson } from "../../values/json-number.ts";
import { parseAnswer } from "../../values/parse-json.ts";
import { quoted } from "../../values/quoted.ts";
import type { Session } from "../../values/session.ts";
import { type Transforms, transformsOf } from "./transforms.ts";

/** What the handler is told. */
export interface ActionPayload {
  readonly action: { readonly name: string };
  readonly input: Readonly<Record<string, unknown>>;
  readonly session_variables: Readonly<Record<string, string>>;
  /** The client's document; `null` for a call that nobody waits for. */
  readonly request_query: string | null;
}

export interface HandlerRequest {
  readonly call: Pick<HttpCall, "method" | "url" | "headers" | "body">;
  /** As JSON, before the transform. */
  readonly text: string;
  readonly payload: () => ActionPayload;
  /** Before its transform; `null`: there is none. */
  readonly original: OutgoingRequest | null;
  readonly transforms: Transforms;
}

export interface RequestSettings extends HeaderSettings {
  /** Milliseconds since 1970. */
  now(): number;
}

export interface AskedHandler {
  readonly action: ActionDefinition;
  readonly input: ActionPayload["input"];
  readonly session: Pick<Session, "variables" | "clientHeaders" | "span">;
  /** The client's document; `null`: nobody waits for the answer. */
  readonly query: string | null;
  /** The same for every attempt; absent: there is one. */
  readonly id?: string;
}

/**
 * @param milliseconds how long a transform may take
 * @returns a promise where the transform takes long
 * @throws EngineError `unexpected` when a transform does not fit, or a secret is missing
 */
export function handlerRequest(
  asked: AskedHandler,
  settings: RequestSettings,
  milliseconds: number,
): HandlerRequest | Promise<HandlerRequest> {
  const { action, session } = asked;
  const { handler } = action;
  const text = payloadText(asked);
  const payload = () => payloadOf(asked);
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
  if (!transforms.request) return { call: signed(plain, asked, settings), payload, text, original: null, transforms };
  const original: OutgoingRequest = {
    method: "POST",
    url,
    headers: Object.entries(headers).map(([header, value]) => [header, textOf(value)]),
    body: parseAnswer(text) as JsonValue,
    sessionVariables: payload().session_variables,
  };
  const use = (call: Outcome<Call>): HandlerRequest => {
    if (call.ok) return { call: signed(call.value, asked, settings), payload, text, original, transforms };
    const internal = { error: { errors: call.errors }, request: requestInfo(action, payload()), response: null };
    throw new EngineError("unexpected", "$", "Request Transformation Failed", { status: 500, internal });
  };
  const call = promptly(transformed(transforms.request, original, milliseconds));
  return call instanceof Promise ? call.then(use) : use(call);
}

function payloadOf({ action: { name }, input, session, query }: AskedHandler): ActionPayload {
  return {
    action: { name },
    input,
    session_variables: Object.fromEntries(session.variables),
    request_query: query,
  };
}

/** `stringifyJson` of the payload, without the payload. */
function payloadText({ action: { name }, input, session, query }: AskedHandler): string {
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

/** What clients send has one character per byte; templates add text. */
function textOf(value: string): string {
  const isBytes = [...value].every((character) => character <= "\u00ff");
  return isBytes ? Buffer.from(value, "latin1").toString("utf8") : value;
}

/** Values go over the wire as UTF-8, one character per byte. */
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
  { action: { name, handler }, id }: AskedHandler,
  { environment, now }: RequestSettings,
): Call {
  const { signingSecrets = [] } = handler;
  if (signingSecrets.length === 0) return call;
  const keys = signingSecrets.map((secret) => {
    const key = signingKey(environment[secret] ?? "");
    if (key !== undefined) return key;
    const internal = `${secret} is not a signing secret: whsec_ and base64`;
    throw new EngineError("unexpected", "$", `the calls of action "${name}" cannot be signed`, {
      status: 500,
      internal,
    });
  });
  const message = { id: id ?? randomUUID(), time: now(), body: call.body ?? "" };
  return { ...call, headers: { ...call.headers, ...signatureHeaders(message, keys) } };
}

/** What is told of a request to those who may know: addresses and headers as the metadata has them. */
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
