// Generated: change the metadata, not this file.
// From   actions, event triggers and cron triggers
// Slice  sha256:6524174c559053577f8d0735e0522e4d7cd3b61aa6e28f49d1ee68a40845f1b0

import { z } from "zod";
import { everyType } from "./events/shop/every_type.js";
import { renamed } from "./events/shop/renamed.js";

// ---------------------------------------------------------------- types

/** Of the session in which an action was called or a row was changed; the names are in lower case. */
export type SessionVariables = Readonly<Record<string, string>>;

/** The trace that a change of a row belongs to. */
export type TraceContext = Readonly<Record<string, string>>;

/** How often an event was tried before, and how often it may be tried again. */
export interface DeliveryInfo {
  readonly current_retry: number;
  readonly max_retries: number;
}

export const SessionVariables: z.ZodType<SessionVariables> = z.record(z.string(), z.string());
export const TraceContext: z.ZodType<TraceContext> = z.record(z.string(), z.string());
export const DeliveryInfo: z.ZodType<DeliveryInfo> = z.object({
  current_retry: z.number(),
  max_retries: z.number(),
});

/** What the handler of event trigger every_type is sent. */
export interface EveryTypePayload {
  readonly id: string;
  readonly created_at: string;
  readonly trigger: { readonly name: "every_type" };
  readonly table: {
    readonly schema: "dbo";
    readonly name: "every_type";
  };
  readonly event: {
    readonly op: "INSERT";
    readonly data: {
      readonly old: null;
      readonly new: EveryTypeRow;
    };
    readonly session_variables?: SessionVariables | null;
    readonly trace_context?: TraceContext | null;
  } | {
    readonly op: "UPDATE";
    readonly data: {
      readonly old: EveryTypeRow | null;
      readonly new: EveryTypeRow;
    };
    readonly session_variables?: SessionVariables | null;
    readonly trace_context?: TraceContext | null;
  } | {
    readonly op: "DELETE";
    readonly data: {
      readonly old: EveryTypeRow;
      readonly new: null;
    };
    readonly session_variables?: SessionVariables | null;
    readonly trace_context?: TraceContext | null;
  };
  readonly delivery_info: DeliveryInfo;
}

/** A row of every_type in events of event trigger every_type. */
export interface EveryTypeRow {
  readonly a_bigint: number | null;
  readonly a_binary: string | null;
  readonly a_bit: boolean | null;
  readonly a_char: string | null;
  readonly a_date: string | null;
  readonly a_datetime: string | null;
  readonly a_datetime2: string | null;
  readonly a_datetimeoffset: string | null;
  readonly a_decimal: number | null;
  readonly a_float: number | null;
  readonly a_hierarchyid: string | null;
  readonly a_int: number | null;
  readonly a_money: number | null;
  readonly a_nchar: string | null;
  readonly a_numeric: number | null;
  readonly a_nvarchar: string | null;
  readonly a_real: number | null;
  readonly a_smalldatetime: string | null;
  readonly a_smallint: number | null;
  readonly a_smallmoney: number | null;
  readonly a_sql_variant: string | null;
  readonly a_time: string | null;
  readonly a_timestamp: string | null;
  readonly a_tinyint: number | null;
  readonly a_uniqueidentifier: string | null;
  readonly a_varbinary: string | null;
  readonly a_varchar: string | null;
  readonly a_xml: string | null;
}

/** What the handler of event trigger renamed is sent. */
export interface RenamedPayload {
  readonly id: string;
  readonly created_at: string;
  readonly trigger: { readonly name: "renamed" };
  readonly table: {
    readonly schema: "dbo";
    readonly name: "customer";
  };
  readonly event: {
    readonly op: "UPDATE";
    readonly data: {
      readonly old: RenamedRow | null;
      readonly new: RenamedRow;
    };
    readonly session_variables?: SessionVariables | null;
    readonly trace_context?: TraceContext | null;
  } | {
    readonly op: "MANUAL";
    readonly data: {
      readonly old: null;
      readonly new: unknown;
    };
    readonly session_variables?: SessionVariables | null;
    readonly trace_context?: TraceContext | null;
  };
  readonly delivery_info: DeliveryInfo;
}

/** A row of customer in events of event trigger renamed. */
export interface RenamedRow {
  readonly id: number;
  readonly name: string;
}

// ---------------------------------------------------------------- validators, each named like its type

export const EveryTypePayload: z.ZodType<EveryTypePayload> = z.lazy(() =>
  z.object({
    id: z.string(),
    created_at: z.string(),
    trigger: z.object({ name: z.literal("every_type") }),
    table: z.object({
      schema: z.literal("dbo"),
      name: z.literal("every_type"),
    }),
    event: z.union([z.object({
      op: z.literal("INSERT"),
      data: z.object({
        old: z.null(),
        new: EveryTypeRow,
      }),
      session_variables: z.exactOptional(z.nullable(SessionVariables)),
      trace_context: z.exactOptional(z.nullable(TraceContext)),
    }), z.object({
      op: z.literal("UPDATE"),
      data: z.object({
        old: z.nullable(EveryTypeRow),
        new: EveryTypeRow,
      }),
      session_variables: z.exactOptional(z.nullable(SessionVariables)),
      trace_context: z.exactOptional(z.nullable(TraceContext)),
    }), z.object({
      op: z.literal("DELETE"),
      data: z.object({
        old: EveryTypeRow,
        new: z.null(),
      }),
      session_variables: z.exactOptional(z.nullable(SessionVariables)),
      trace_context: z.exactOptional(z.nullable(TraceContext)),
    })]),
    delivery_info: DeliveryInfo,
  }),
);

export const EveryTypeRow: z.ZodType<EveryTypeRow> = z.lazy(() =>
  z.object({
    a_bigint: z.nullable(z.number()),
    a_binary: z.nullable(z.string()),
    a_bit: z.nullable(z.boolean()),
    a_char: z.nullable(z.string()),
    a_date: z.nullable(z.string()),
    a_datetime: z.nullable(z.string()),
    a_datetime2: z.nullable(z.string()),
    a_datetimeoffset: z.nullable(z.string()),
    a_decimal: z.nullable(z.number()),
    a_float: z.nullable(z.number()),
    a_hierarchyid: z.nullable(z.string()),
    a_int: z.nullable(z.number()),
    a_money: z.nullable(z.number()),
    a_nchar: z.nullable(z.string()),
    a_numeric: z.nullable(z.number()),
    a_nvarchar: z.nullable(z.string()),
    a_real: z.nullable(z.number()),
    a_smalldatetime: z.nullable(z.string()),
    a_smallint: z.nullable(z.number()),
    a_smallmoney: z.nullable(z.number()),
    a_sql_variant: z.nullable(z.string()),
    a_time: z.nullable(z.string()),
    a_timestamp: z.nullable(z.string()),
    a_tinyint: z.nullable(z.number()),
    a_uniqueidentifier: z.nullable(z.string()),
    a_varbinary: z.nullable(z.string()),
    a_varchar: z.nullable(z.string()),
    a_xml: z.nullable(z.string()),
  }),
);

export const RenamedPayload: z.ZodType<RenamedPayload> = z.lazy(() =>
  z.object({
    id: z.string(),
    created_at: z.string(),
    trigger: z.object({ name: z.literal("renamed") }),
    table: z.object({
      schema: z.literal("dbo"),
      name: z.literal("customer"),
    }),
    event: z.union([z.object({
      op: z.literal("UPDATE"),
      data: z.object({
        old: z.nullable(RenamedRow),
        new: RenamedRow,
      }),
      session_variables: z.exactOptional(z.nullable(SessionVariables)),
      trace_context: z.exactOptional(z.nullable(TraceContext)),
    }), z.object({
      op: z.literal("MANUAL"),
      data: z.object({
        old: z.null(),
        new: z.unknown(),
      }),
      session_variables: z.exactOptional(z.nullable(SessionVariables)),
      trace_context: z.exactOptional(z.nullable(TraceContext)),
    })]),
    delivery_info: DeliveryInfo,
  }),
);

export const RenamedRow: z.ZodType<RenamedRow> = z.lazy(() =>
  z.object({
    id: z.number(),
    name: z.string(),
  }),
);

// ---------------------------------------------------------------- handlers

function define<Payload, Result>(
  about: Omit<Handler, "run">,
  validator: z.ZodType<Payload>,
  call: (payload: Payload, context: HandlerContext) => Result | Promise<Result>,
): Handler {
  return {
    ...about,
    async run(body, context) {
      const payload = validator.safeParse(body);
      if (payload.success) return call(payload.data, context);
      const [issue] = payload.error.issues;
      const place = ["payload", ...(issue?.path ?? [])].map(String).join(".");
      throw new HandlerError(`${place}: ${issue?.message ?? "invalid"}`, { code: "invalid-payload" });
    },
  };
}

const handlers: readonly Handler[] = [
  define<EveryTypePayload, unknown>(
    {
      kind: "event",
      name: "every_type",
      label: "event trigger every_type",
      source: "shop",
      table: { schema: "dbo", name: "every_type" },
      secrets: [],
    },
    EveryTypePayload,
    everyType,
  ),
  define<RenamedPayload, unknown>(
    {
      kind: "event",
      name: "renamed",
      label: "event trigger renamed",
      source: "shop",
      table: { schema: "dbo", name: "customer" },
      secrets: [],
    },
    RenamedPayload,
    renamed,
  ),
];

// ---------------------------------------------------------------- router

/** What a handler may use besides its payload. */
export interface HandlerContext {
  /** Of the call: those that the metadata configures, and the client's where it forwards them. */
  readonly headers: Headers;
  /** Of the answer. The client of an action gets its `set-cookie`. */
  readonly answerHeaders: Headers;
}

export interface HandlerErrorOptions {
  /** 400 unless given. Clients of actions see messages of 4xx only; any status makes an event be tried again. */
  readonly status?: number | undefined;
  /** For clients of actions. */
  readonly code?: string | undefined;
  /** For clients of actions, in place of the code. */
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
  /** When an event shall be tried again, however often it was tried. */
  readonly retryAfterSeconds?: number | undefined;
}

/** A failure that a handler means to answer. All others are answered with status 500, without their message. */
export class HandlerError extends Error {
  readonly options: HandlerErrorOptions;

  constructor(message: string, options: HandlerErrorOptions = {}) {
    super(message);
    this.name = "HandlerError";
    this.options = options;
  }
}

export interface RouterOptions extends SignatureOptions {
  /** The environment that holds signing secrets, by the names that the metadata gives them. */
  readonly secrets: Readonly<Record<string, string | undefined>>;
  /** Calls of handlers for which the metadata has no signing secret: anybody can make them. Refused unless accepted. */
  readonly unsigned?: "accept" | "refuse" | undefined;
  /** The longest body; 8 MiB unless given. */
  readonly maximumBytes?: number | undefined;
  /** Is told of failures that the caller is not told of. Writes them to the console unless given. */
  readonly onError?: ((error: unknown, handler: string) => void) | undefined;
}

export interface Router {
  /** For servers that speak Fetch: Deno, Bun, workers, Hono. */
  fetch(request: Request): Promise<Response>;
  /** For `createServer` of `node:http`. */
  node(request: NodeRequest, response: NodeResponse): Promise<void>;
  /** For Express, before `express.json()`; `express.raw({ type: "*\/*" })` may stand before it. */
  express(request: NodeRequest, response: NodeResponse, next: (error?: unknown) => void): Promise<void>;
}

interface Handler {
  readonly kind: "action" | "event" | "cron";
  readonly name: string;
  readonly label: string;
  readonly source?: string;
  readonly table?: { readonly schema: string; readonly name: string };
  /** Environment variables. */
  readonly secrets: readonly string[];
  run(body: unknown, context: HandlerContext): Promise<unknown>;
}

interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  /** `undefined`: it is too long. */
  readonly body: Uint8Array | undefined;
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** `null`: none. */
  readonly text: string | null;
}

async function answer(call: Call, options: RouterOptions): Promise<Answer> {
  const { method, body, headers } = call;
  if (method === "GET" || method === "HEAD") {
    return failure(new HandlerError("handlers are called by POST", { status: 405 }), new Headers({ allow: "POST" }));
  }
  if (body === undefined) return failure(new HandlerError("the body is too long", { status: 413 }));
  const context: HandlerContext = { headers, answerHeaders: new Headers() };
  let handler: Handler | undefined;
  try {
    // Before anything else: a caller without a secret learns neither names of handlers nor what their payloads are like.
    const signers = await signersOf({ headers, body }, options);
    if (signers.size === 0 && options.unsigned !== "accept") throw notSigned("the call is not signed, or too old");
    const payload = parsed(body);
    handler = handlerFor(call.path, payload);
    if (!handler) throw new HandlerError("there is no such handler", { status: 404, code: "not-found" });
    checkSigner(handler, signers, options);
    const value = await handler.run(payload, context);
    if (handler.kind !== "action") return { status: 204, headers: context.answerHeaders, text: null };
    return json(200, value ?? null, context.answerHeaders);
  } catch (error) {
    if (error instanceof HandlerError) return failure(error, context.answerHeaders);
    report(error, handler?.label ?? "the router", options);
    return json(500, { message: "internal error" });
  }
}

function report(error: unknown, handler: string, { onError }: RouterOptions): void {
  if (onError) onError(error, handler);
  else console.error(`${handler} failed:`, error);
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw new HandlerError("the body is no JSON", { code: "invalid-payload" });
  }
}

const notSigned = (message: string): HandlerError => new HandlerError(message, { status: 401, code: "not-signed" });

/**
 * The variables whose secrets signed the call.
 * @throws Error where a handler has none that is set
 */
async function signersOf(call: SignedCall, options: RouterOptions): Promise<ReadonlySet<string>> {
  const signers = new Set<string>();
  for (const name of new Set(handlers.flatMap(({ secrets }) => secrets))) {
    const secret = options.secrets[name];
    if (secret && (await isSigned(call, [secret], options))) signers.add(name);
  }
  const unset = handlers.find(({ secrets }) => secrets.length > 0 && secrets.every((name) => !options.secrets[name]));
  if (signers.size === 0 && unset) throw new Error(`no signing secret is set: ${unset.secrets.join(", ")}`);
  return signers;
}

function checkSigner({ label, secrets }: Handler, signers: ReadonlySet<string>, { unsigned }: RouterOptions): void {
  if (secrets.some((name) => signers.has(name))) return;
  if (secrets.length > 0) throw notSigned(`the call is not signed by a secret of ${label}`);
  if (unsigned !== "accept") throw notSigned(`the metadata has no signing secret for ${label}`);
}

/**
 * By the end of the path (`/actions/<name>`, `/events/<source>/<name>`, `/crons/<name>`), else by the names in the
 * body: where a transform has changed that, the path has to say it. A body with the names of another handler than the path
 * is refused, so that what was signed for one handler cannot be sent to another.
 * @throws HandlerError
 */
function handlerFor(path: string, body: unknown): Handler | undefined {
  const parts = path.split("/").map(decoded);
  const [folder, source, name] = parts.slice(-3);
  const byPath = handlers.find(
    (handler) =>
      handler.name === name &&
      (handler.kind === "event" ? folder === "events" && source === handler.source : source === `${handler.kind}s`),
  );
  const byBody = handlers.find((handler) => isNamed(handler, body));
  if (byPath === undefined || byBody === undefined) return byPath ?? byBody;
  if (isNamed(byPath, body)) return byPath;
  throw new HandlerError(`the payload is for ${byBody.label}, not for ${byPath.label}`, { code: "invalid-payload" });
}

function isNamed({ kind, name, table: own }: Handler, body: unknown): boolean {
  const { action, trigger, table, name: given, scheduled_time: time } = isRecord(body) ? body : {};
  switch (kind) {
    case "action":
      return isRecord(action) && action.name === name;
    case "event":
      return isRecord(trigger) && trigger.name === name && isTable(table, own);
    case "cron":
      return given === name && time !== undefined;
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

const isTable = (value: unknown, table: Handler["table"]): boolean =>
  isRecord(value) && value.schema === table?.schema && value.name === table?.name;

function failure({ message, options }: HandlerError, headers = new Headers()): Answer {
  const { status = 400, code, extensions, retryAfterSeconds } = options;
  if (retryAfterSeconds !== undefined) headers.set("retry-after", String(Math.max(1, Math.ceil(retryAfterSeconds))));
  return json(status, { message, code, extensions }, headers);
}

function json(status: number, value: unknown, headers = new Headers()): Answer {
  headers.set("content-type", "application/json; charset=utf-8");
  return { status, headers, text: JSON.stringify(value) };
}

// ---------------------------------------------------------------- servers

/** A request of `node:http`, or of Express. */
export interface NodeRequest extends AsyncIterable<Uint8Array | string> {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Where something has read it before. */
  readonly body?: unknown;
}

export interface NodeResponse {
  statusCode: number;
  setHeader(name: string, value: string | readonly string[]): unknown;
  end(text?: string): unknown;
}

const defaultMaximumBytes = 8 * 1024 * 1024;

/** Answers the calls of all handlers. */
export function createRouter(options: RouterOptions): Router {
  const most = options.maximumBytes ?? defaultMaximumBytes;

  async function serve(request: NodeRequest, response: NodeResponse): Promise<void> {
    const { method = "GET", url = "/", body } = request;
    const path = url.split("?", 1).join("");
    const wasRead = body !== undefined && body !== null;
    const bytes = wasRead ? bytesOfRead(body, most) : await bytesOf(kept(request), most);
    const call = { method, path, headers: headersOf(request), body: bytes };
    const { status, headers, text } = await answer(call, options);
    response.statusCode = status;
    // What is left of a body that is too long is not read.
    if (bytes === undefined) response.setHeader("connection", "close");
    for (const name of headers.keys()) if (name !== "set-cookie") response.setHeader(name, headers.get(name) ?? "");
    const cookies = headers.getSetCookie();
    if (cookies.length > 0) response.setHeader("set-cookie", cookies);
    if (text === null) response.end();
    else response.end(text);
  }

  return {
    async node(request, response) {
      try {
        await serve(request, response);
      } catch (error) {
        // A client that went away, most of all: nobody else would catch it.
        report(error, "the router", options);
        response.statusCode = 500;
        response.end();
      }
    },
    async fetch(request) {
      const body = request.body === null ? new Uint8Array() : await bytesOf(chunksOf(request.body), most);
      const path = new URL(request.url).pathname;
      const { method, headers: given } = request;
      const { status, headers, text } = await answer({ method, path, headers: given, body }, options);
      return new Response(text, { status, headers });
    },
    async express(request, response, next) {
      try {
        await serve(request, response);
      } catch (error) {
        next(error);
      }
    },
  };
}

function headersOf({ headers }: NodeRequest): Headers {
  const copied = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) copied.set(name, typeof value === "string" ? value : value.join(", "));
  }
  return copied;
}

async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel();
  }
}

/** Whoever stops reading leaves the request open, so that it can be answered. */
async function* kept(request: NodeRequest): AsyncGenerator<Uint8Array | string> {
  const chunks = request[Symbol.asyncIterator]();
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
}

/** `undefined`: there are more. */
async function bytesOf(
  chunks: AsyncIterable<Uint8Array | string>,
  most: number,
): Promise<Uint8Array | undefined> {
  const read: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    const bytes = typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk;
    length += bytes.length;
    if (length > most) return undefined;
    read.push(bytes);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const bytes of read) {
    whole.set(bytes, at);
    at += bytes.length;
  }
  return whole;
}

function bytesOfRead(body: unknown, most: number): Uint8Array | undefined {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  if (bytes instanceof Uint8Array) return bytes.length > most ? undefined : bytes;
  throw new TypeError("the body was parsed before the router got it, so that its signature cannot be checked");
}

// ---------------------------------------------------------------- signatures

/** A call as it came. */
export interface SignedCall {
  readonly headers: Headers;
  /** The bytes of the body: a body that was parsed and written anew has another signature. */
  readonly body: Uint8Array;
}

export interface SignatureOptions {
  /** How old or how early a call may be; 300 unless given. */
  readonly toleranceSeconds?: number | undefined;
  /** Milliseconds since 1970; the clock of the machine unless given. */
  readonly now?: (() => number) | undefined;
}

/**
 * Whether one of the secrets signed the call, within the last minutes (https://www.standardwebhooks.com).
 * @param secrets base64, with or without "whsec_"
 * @throws TypeError for a secret that is none
 */
export async function isSigned(
  call: SignedCall,
  secrets: readonly string[],
  { toleranceSeconds = 300, now = Date.now }: SignatureOptions = {},
): Promise<boolean> {
  const id = call.headers.get("webhook-id");
  const timestamp = call.headers.get("webhook-timestamp");
  const given = (call.headers.get("webhook-signature") ?? "").split(" ").flatMap((each) => {
    const [version, signature] = each.split(",", 2);
    return version === "v1" && signature !== undefined ? [signature] : [];
  });
  if (id === null || timestamp === null || !/^\d{1,12}$/.test(timestamp)) return false;
  // Negated, so that a tolerance that is not a number refuses every call.
  if (!(Math.abs(now() / 1000 - Number(timestamp)) <= toleranceSeconds)) return false;
  const start = new TextEncoder().encode(`${id}.${timestamp}.`);
  const message = new Uint8Array(start.length + call.body.length);
  message.set(start);
  message.set(call.body, start.length);
  let found = false;
  for (const secret of secrets) {
    const expected = await signatureOf(message, keyOf(secret));
    // All of them are compared: how long it takes tells nothing.
    for (const each of given) found = isSameText(each, expected) || found;
  }
  return found;
}

async function signatureOf(message: Uint8Array<ArrayBuffer>, key: Uint8Array<ArrayBuffer>): Promise<string> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", key, algorithm, false, ["sign"]);
  const signature = new Uint8Array(await crypto.subtle.sign("HMAC", imported, message));
  return btoa(String.fromCharCode(...signature));
}

function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  const text = secret.trim().replace(/^whsec_/, "");
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) throw new TypeError("a signing secret is whsec_ and base64");
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

/** Takes as long wherever they differ. */
function isSameText(one: string, other: string): boolean {
  let difference = one.length ^ other.length;
  for (let i = 0; i < other.length; i++) difference |= one.charCodeAt(i) ^ other.charCodeAt(i);
  return difference === 0;
}
