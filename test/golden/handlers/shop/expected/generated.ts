// Generated: change the metadata, not this file.
// From   actions, event triggers and cron triggers
// Slice  sha256:c2f55e4c55ff9505b7750dda27aeab164658fa9c233ff7ea54d265bffdce1caa

import { z } from "zod";
import { count } from "./actions/count.js";
import { keepPromise } from "./actions/keepPromise.js";
import { placeOrder } from "./actions/place_order.js";
import { sizes } from "./actions/sizes.js";
import { transformed } from "./actions/transformed.js";
import { orderPaid } from "./events/default/orderPaid.js";
import { orderChanged } from "./events/default/order_changed.js";
import { orderTemplated } from "./events/default/order_templated.js";
import { nightlyReport } from "./crons/nightly-report.js";
import { tick } from "./crons/tick.js";

// ---------------------------------------------------------------- types

/** Session variables of an action's caller or of a change, with names in lower case. */
export type SessionVariables = Readonly<Record<string, string>>;

/** Trace context of a change. */
export type TraceContext = Readonly<Record<string, string>>;

/** Number of earlier attempts of an event, and maximum number of retries. */
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

/** The output type Address. */
export interface Address {
  readonly city: string;
  readonly size?: Size | null | undefined;
}

/** The scalar Blob. */
export type Blob = unknown;

/** Payload for the handler of action count. */
export interface CountPayload {
  readonly action: { readonly name: "count" };
  readonly input: Readonly<Record<string, never>>;
  readonly session_variables: SessionVariables;
  readonly request_query: string;
}

/** What is bought */
export interface Item {
  /** Its number */
  readonly book: number;
  readonly size?: Size | null;
  readonly parts?: readonly Item[] | null;
  readonly price?: Money | null;
}

/** Payload for the handler of action keepPromise. */
export interface KeepPromisePayload {
  readonly action: { readonly name: "keepPromise" };
  readonly input: Readonly<Record<string, never>>;
  readonly session_variables: SessionVariables;
  readonly request_query: null;
}

/** Euros and cents. *\/ `${1}` */
export type Money = number;

/** Payload for the handler of cron trigger nightly report. */
export interface NightlyReportPayload {
  readonly id: string;
  readonly name: "nightly report";
  readonly scheduled_time: string;
  readonly payload: {
    readonly to: readonly (string | number)[];
    readonly deep: {
      readonly on: boolean;
      readonly none: null;
      readonly empty: readonly unknown[];
    };
  };
  readonly comment?: string;
}

/** The output type Order. */
export interface Order {
  readonly id: string;
  readonly number?: number | string | null | undefined;
  readonly to?: Address | null | undefined;
  readonly parts: readonly Order[];
}

/** Payload for the handler of event trigger order_changed. */
export interface OrderChangedPayload {
  readonly id: string;
  readonly created_at: string;
  readonly trigger: { readonly name: "order_changed" };
  readonly table: {
    readonly schema: "public";
    readonly name: "orders";
  };
  readonly event: {
    readonly op: "INSERT";
    readonly data: {
      readonly old: null;
      readonly new: OrderChangedRow;
    };
    readonly session_variables?: SessionVariables | null;
    readonly trace_context?: TraceContext | null;
  } | {
    readonly op: "UPDATE";
    readonly data: {
      readonly old: OrderChangedRow;
      readonly new: OrderChangedRow;
    };
    readonly session_variables?: SessionVariables | null;
    readonly trace_context?: TraceContext | null;
  } | {
    readonly op: "DELETE";
    readonly data: {
      readonly old: OrderChangedRow;
      readonly new: null;
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

/** A row of orders in events of event trigger order_changed. */
export interface OrderChangedRow {
  readonly id: number;
  readonly key: string;
  readonly status: "new" | "paid";
  /** Who pays. *\/ ${1} */
  readonly customer: string;
  readonly "Shipped on": string | null;
  readonly at: string;
  readonly total: number;
  readonly weight: number | null;
  readonly is_gift: boolean;
  readonly note: unknown;
  readonly tags: readonly (string | null)[];
  readonly counts: readonly (number | null)[] | null;
  readonly mood: "calm" | "it's \"odd\"" | null;
  readonly price: number | null;
  readonly origin: {
    readonly city: string | null;
    readonly lat: number | null;
  } | null;
  readonly more: Readonly<Record<string, string | null>> | null;
  readonly small: number | null;
  readonly raw: string | null;
  readonly wait: string | null;
  readonly during: string | null;
}

/** A row of orders in events of event trigger orderPaid. */
export interface OrderPaidDeletedRow {
  readonly id: number;
}

/** Payload for the handler of event trigger orderPaid. */
export interface OrderPaidPayload {
  readonly id: string;
  readonly created_at: string;
  readonly trigger: { readonly name: "orderPaid" };
  readonly table: {
    readonly schema: "public";
    readonly name: "orders";
  };
  readonly event: {
    readonly op: "UPDATE";
    readonly data: {
      readonly old: OrderPaidUpdatedRow;
      readonly new: OrderPaidUpdatedRow;
    };
    readonly session_variables?: SessionVariables | null;
    readonly trace_context?: TraceContext | null;
  } | {
    readonly op: "DELETE";
    readonly data: {
      readonly old: OrderPaidDeletedRow;
      readonly new: null;
    };
    readonly session_variables?: SessionVariables | null;
    readonly trace_context?: TraceContext | null;
  };
  readonly delivery_info: DeliveryInfo;
}

/** A row of orders in events of event trigger orderPaid. */
export interface OrderPaidUpdatedRow {
  readonly id: number;
  readonly status: "new" | "paid";
}

/** Payload for the handler of action place_order. */
export interface PlaceOrderPayload {
  readonly action: { readonly name: "place_order" };
  readonly input: {
    /** What to buy */
    readonly items: readonly Item[];
    readonly note?: string | null;
    readonly key: number | string;
    readonly extra: unknown;
  };
  readonly session_variables: SessionVariables;
  readonly request_query: string;
}

/** The output type Promise. */
export interface Promise_2 {
  readonly kept: boolean;
}

/** The enum Size. */
export type Size = "SMALL" | "LARGE";

/** Payload for the handler of action sizes. */
export interface SizesPayload {
  readonly action: { readonly name: "sizes" };
  readonly input: Readonly<Record<string, never>>;
  readonly session_variables: SessionVariables;
  readonly request_query: string;
}

/** Payload for the handler of cron trigger tick. */
export interface TickPayload {
  readonly id: string;
  readonly name: "tick";
  readonly scheduled_time: string;
  readonly payload: null;
  readonly comment?: string;
}

// ---------------------------------------------------------------- validators, each named like its type

const float = z.union([z.number(), z.enum(["NaN", "Infinity", "-Infinity"]).transform(Number)]);

const numberOrText = z.union([z.number(), z.string()]);

export const Blob: z.ZodType<Blob> = z.lazy(() => z.unknown());

export const CountPayload: z.ZodType<CountPayload> = z.lazy(() =>
  z.object({
    action: z.object({ name: z.literal("count") }),
    input: z.record(z.string(), z.never()),
    session_variables: SessionVariables,
    request_query: z.string(),
  }),
);

export const Item: z.ZodType<Item> = z.lazy(() =>
  z.object({
    book: z.number(),
    size: z.exactOptional(z.nullable(Size)),
    parts: z.exactOptional(z.nullable(z.array(Item))),
    price: z.exactOptional(z.nullable(Money)),
  }),
);

export const KeepPromisePayload: z.ZodType<KeepPromisePayload> = z.lazy(() =>
  z.object({
    action: z.object({ name: z.literal("keepPromise") }),
    input: z.record(z.string(), z.never()),
    session_variables: SessionVariables,
    request_query: z.null(),
  }),
);

export const Money: z.ZodType<Money> = z.lazy(() => z.number());

export const NightlyReportPayload: z.ZodType<NightlyReportPayload> = z.lazy(() =>
  z.object({
    id: z.string(),
    name: z.literal("nightly report"),
    scheduled_time: z.string(),
    payload: z.object({
      to: z.array(z.union([z.string(), z.number()])),
      deep: z.object({
        on: z.boolean(),
        none: z.null(),
        empty: z.array(z.unknown()),
      }),
    }),
    comment: z.exactOptional(z.string()),
  }),
);

export const OrderChangedPayload: z.ZodType<OrderChangedPayload> = z.lazy(() =>
  z.object({
    id: z.string(),
    created_at: z.string(),
    trigger: z.object({ name: z.literal("order_changed") }),
    table: z.object({
      schema: z.literal("public"),
      name: z.literal("orders"),
    }),
    event: z.union([z.object({
      op: z.literal("INSERT"),
      data: z.object({
        old: z.null(),
        new: OrderChangedRow,
      }),
      session_variables: z.exactOptional(z.nullable(SessionVariables)),
      trace_context: z.exactOptional(z.nullable(TraceContext)),
    }), z.object({
      op: z.literal("UPDATE"),
      data: z.object({
        old: OrderChangedRow,
        new: OrderChangedRow,
      }),
      session_variables: z.exactOptional(z.nullable(SessionVariables)),
      trace_context: z.exactOptional(z.nullable(TraceContext)),
    }), z.object({
      op: z.literal("DELETE"),
      data: z.object({
        old: OrderChangedRow,
        new: z.null(),
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

export const OrderChangedRow: z.ZodType<OrderChangedRow> = z.lazy(() =>
  z.object({
    id: z.number(),
    key: z.string(),
    status: z.enum(["new", "paid"]),
    customer: z.string(),
    "Shipped on": z.nullable(z.string()),
    at: z.string(),
    total: float,
    weight: z.nullable(float),
    is_gift: z.boolean(),
    note: z.unknown(),
    tags: z.array(z.nullable(z.string())),
    counts: z.nullable(z.array(z.nullable(z.number()))),
    mood: z.nullable(z.enum(["calm", "it's \"odd\""])),
    price: z.nullable(z.number()),
    origin: z.nullable(z.object({
      city: z.nullable(z.string()),
      lat: z.nullable(float),
    })),
    more: z.nullable(z.record(z.string(), z.nullable(z.string()))),
    small: z.nullable(z.number()),
    raw: z.nullable(z.string()),
    wait: z.nullable(z.string()),
    during: z.nullable(z.string()),
  }),
);

export const OrderPaidDeletedRow: z.ZodType<OrderPaidDeletedRow> = z.lazy(() =>
  z.object({ id: z.number() }),
);

export const OrderPaidPayload: z.ZodType<OrderPaidPayload> = z.lazy(() =>
  z.object({
    id: z.string(),
    created_at: z.string(),
    trigger: z.object({ name: z.literal("orderPaid") }),
    table: z.object({
      schema: z.literal("public"),
      name: z.literal("orders"),
    }),
    event: z.union([z.object({
      op: z.literal("UPDATE"),
      data: z.object({
        old: OrderPaidUpdatedRow,
        new: OrderPaidUpdatedRow,
      }),
      session_variables: z.exactOptional(z.nullable(SessionVariables)),
      trace_context: z.exactOptional(z.nullable(TraceContext)),
    }), z.object({
      op: z.literal("DELETE"),
      data: z.object({
        old: OrderPaidDeletedRow,
        new: z.null(),
      }),
      session_variables: z.exactOptional(z.nullable(SessionVariables)),
      trace_context: z.exactOptional(z.nullable(TraceContext)),
    })]),
    delivery_info: DeliveryInfo,
  }),
);

export const OrderPaidUpdatedRow: z.ZodType<OrderPaidUpdatedRow> = z.lazy(() =>
  z.object({
    id: z.number(),
    status: z.enum(["new", "paid"]),
  }),
);

export const PlaceOrderPayload: z.ZodType<PlaceOrderPayload> = z.lazy(() =>
  z.object({
    action: z.object({ name: z.literal("place_order") }),
    input: z.object({
      items: z.array(Item),
      note: z.exactOptional(z.nullable(z.string())),
      key: numberOrText,
      extra: z.unknown(),
    }),
    session_variables: SessionVariables,
    request_query: z.string(),
  }),
);

export const Size: z.ZodType<Size> = z.lazy(() => z.enum(["SMALL", "LARGE"]));

export const SizesPayload: z.ZodType<SizesPayload> = z.lazy(() =>
  z.object({
    action: z.object({ name: z.literal("sizes") }),
    input: z.record(z.string(), z.never()),
    session_variables: SessionVariables,
    request_query: z.string(),
  }),
);

export const TickPayload: z.ZodType<TickPayload> = z.lazy(() =>
  z.object({
    id: z.string(),
    name: z.literal("tick"),
    scheduled_time: z.string(),
    payload: z.null(),
    comment: z.exactOptional(z.string()),
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
  define<CountPayload, number>(
    { kind: "action", name: "count", label: "action count", secrets: [] },
    CountPayload,
    count,
  ),
  define<KeepPromisePayload, Promise_2 | null>(
    { kind: "action", name: "keepPromise", label: "action keepPromise", secrets: [] },
    KeepPromisePayload,
    keepPromise,
  ),
  define<PlaceOrderPayload, Order>(
    { kind: "action", name: "place_order", label: "action place_order", secrets: ["NEW_SECRET"] },
    PlaceOrderPayload,
    placeOrder,
  ),
  define<SizesPayload, readonly Size[] | null>(
    { kind: "action", name: "sizes", label: "action sizes", secrets: [] },
    SizesPayload,
    sizes,
  ),
  define<unknown, unknown>(
    { kind: "action", name: "transformed", label: "action transformed", secrets: [] },
    z.unknown(),
    transformed,
  ),
  define<OrderPaidPayload, unknown>(
    {
      kind: "event",
      name: "orderPaid",
      label: "event trigger orderPaid",
      source: "default",
      table: { schema: "public", name: "orders" },
      secrets: [],
    },
    OrderPaidPayload,
    orderPaid,
  ),
  define<OrderChangedPayload, unknown>(
    {
      kind: "event",
      name: "order_changed",
      label: "event trigger order_changed",
      source: "default",
      table: { schema: "public", name: "orders" },
      secrets: ["NEW_SECRET", "OLD_SECRET"],
    },
    OrderChangedPayload,
    orderChanged,
  ),
  define<unknown, unknown>(
    {
      kind: "event",
      name: "order_templated",
      label: "event trigger order_templated",
      source: "default",
      table: { schema: "public", name: "orders" },
      secrets: [],
    },
    z.unknown(),
    orderTemplated,
  ),
  define<NightlyReportPayload, unknown>(
    { kind: "cron", name: "nightly report", label: "cron trigger nightly report", secrets: [] },
    NightlyReportPayload,
    nightlyReport,
  ),
  define<TickPayload, unknown>(
    { kind: "cron", name: "tick", label: "cron trigger tick", secrets: [] },
    TickPayload,
    tick,
  ),
];

// ---------------------------------------------------------------- router

/** The headers of a call and of its response. */
export interface HandlerContext {
  /** Request headers: those configured in the metadata, and the client's if they are forwarded. */
  readonly headers: Headers;
  /** Response headers. `set-cookie` of an action is forwarded to the client. */
  readonly answerHeaders: Headers;
}

export interface HandlerErrorOptions {
  /** HTTP status; default 400. Clients of actions receive messages of 4xx only. Events are retried after any error. */
  readonly status?: number | undefined;
  /** Error code that clients of actions receive. */
  readonly code?: string | undefined;
  /** Error extensions that clients of actions receive instead of the code. */
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
  /** Seconds until an event is retried, regardless of its number of retries. */
  readonly retryAfterSeconds?: number | undefined;
}

/** An error that the response contains. All other errors become status 500, without their message. */
export class HandlerError extends Error {
  readonly options: HandlerErrorOptions;

  constructor(message: string, options: HandlerErrorOptions = {}) {
    super(message);
    this.name = "HandlerError";
    this.options = options;
  }
}

export interface RouterOptions extends SignatureOptions {
  /** Signing secrets by the names of their environment variables in the metadata. */
  readonly secrets: Readonly<Record<string, string | undefined>>;
  /** Calls of handlers without a signing secret in the metadata, which any program can send. Default: refused. */
  readonly unsigned?: "accept" | "refuse" | undefined;
  /** Maximum size of a body; default 8 MiB. */
  readonly maximumBytes?: number | undefined;
  /** Called with errors whose details callers do not receive. Default: prints them to the console. */
  readonly onError?: ((error: unknown, handler: string) => void) | undefined;
}

export interface Router {
  /** Handler for servers with the Fetch API: Deno, Bun, workers, Hono. */
  fetch(request: Request): Promise<Response>;
  /** Listener for `createServer` of `node:http`. */
  node(request: NodeRequest, response: NodeResponse): Promise<void>;
  /** Middleware for Express, before `express.json()`; `express.raw({ type: "*\/*" })` may precede it. */
  express(request: NodeRequest, response: NodeResponse, next: (error?: unknown) => void): Promise<void>;
}

interface Handler {
  readonly kind: "action" | "event" | "cron";
  readonly name: string;
  readonly label: string;
  readonly source?: string;
  readonly table?: { readonly schema: string; readonly name: string };
  /** Names of environment variables. */
  readonly secrets: readonly string[];
  run(body: unknown, context: HandlerContext): Promise<unknown>;
}

interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  /** `undefined` if it is too long. */
  readonly body: Uint8Array | undefined;
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** `null` for a response without a body. */
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
    // The signature is verified first, so that responses reveal neither names of handlers nor their payload types.
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
 * Returns the variables whose secrets signed the call.
 * @throws Error if no secret of a handler is set
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
 * Finds a handler by the end of the path (`/actions/<name>`, `/events/<source>/<name>`, `/crons/<name>`), or by the
 * names in the body. After a transform of the body, only the path identifies it. A body that names another handler than the
 * path is refused, so that a call signed for one handler cannot be sent to another.
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
  /** The body, if middleware has read it. */
  readonly body?: unknown;
}

export interface NodeResponse {
  statusCode: number;
  setHeader(name: string, value: string | readonly string[]): unknown;
  end(text?: string): unknown;
}

const defaultMaximumBytes = 8 * 1024 * 1024;

/** Returns a router for the calls of all handlers. */
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
    // The rest of a body that is too long is not read.
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
        // Usually a client that disconnected; nothing else catches this error.
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

/** Leaves the request open when reading stops, so that a response can be sent. */
async function* kept(request: NodeRequest): AsyncGenerator<Uint8Array | string> {
  const chunks = request[Symbol.asyncIterator]();
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
}

/** Returns all bytes; `undefined` if there are more than the maximum. */
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

/** A received call. */
export interface SignedCall {
  readonly headers: Headers;
  /** The bytes of the body: a body that was parsed and serialized again has another signature. */
  readonly body: Uint8Array;
}

export interface SignatureOptions {
  /** Maximum difference between the times of the call and of this machine; default 300. */
  readonly toleranceSeconds?: number | undefined;
  /** Returns milliseconds since 1970; default: the clock of this machine. */
  readonly now?: (() => number) | undefined;
}

/**
 * Returns true if one of the secrets signed the call recently (https://www.standardwebhooks.com).
 * @param secrets base64, with or without "whsec_"
 * @throws TypeError for a malformed secret
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
    // All signatures are compared, so that the duration reveals nothing.
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

/** Compares in a time that does not depend on the position of a difference. */
function isSameText(one: string, other: string): boolean {
  let difference = one.length ^ other.length;
  for (let i = 0; i < other.length; i++) difference |= one.charCodeAt(i) ^ other.charCodeAt(i);
  return difference === 0;
}
