// Generated: change the metadata, not this file.
// From   actions, event triggers and cron triggers
// Slice  sha256:76e5782cce116871b1837b8f4755dc0ff78ed13f0edf45d6467b9ea2ace5d7af

import { z } from "zod";
import { placeOrder } from "./actions/placeorder+21.js";
import { _ } from "./actions/_.js";
import { await_ } from "./actions/await.js";
import { class_ } from "./actions/class.js";
import { con } from "./actions/con+.js";
import { placeOrder as placeOrder_2 } from "./actions/placeorder+20.js";
import { placeOrder as placeOrder_3 } from "./actions/place_order.js";
import { delete_ } from "./events/default/delete.js";
import { orderPlaced } from "./events/default/order-placed.js";
import { orderPlaced as orderPlaced_2 } from "./events/default/orderPlaced.js";
import { orderPlaced as orderPlaced_3 } from "./events/default/order_placed.js";
import { _ as __2 } from "./crons/---++21-21-21.js";
import { exportConstPwned1 } from "./crons/---export-const-pwned---1----++2a-2f-----3d--3b--2f-2a.js";
import { _2OClock } from "./crons/2-o-clock.js";
import { _ as __3 } from "./crons/---++3f-3f-3f.js";
import { await_ as await__2 } from "./crons/await.js";
import { überNacht } from "./crons/-ber-nacht++fc-.js";
import { 日本 } from "./crons/--++65e5-672c.js";

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

/** Payload for the handler of action await. */
export interface AwaitPayload {
  readonly action: { readonly name: "await" };
  readonly input: Readonly<Record<string, never>>;
  readonly session_variables: SessionVariables;
  readonly request_query: string;
}

/** Payload for the handler of cron trigger await. */
export interface AwaitPayload_2 {
  readonly id: string;
  readonly name: "await";
  readonly scheduled_time: string;
  readonly payload: readonly (readonly unknown[] | readonly (number | string)[])[];
  readonly comment?: string;
}

/** Payload for the handler of action class. */
export interface ClassPayload {
  readonly action: { readonly name: "class" };
  readonly input: Readonly<Record<string, never>>;
  readonly session_variables: SessionVariables;
  readonly request_query: null;
}

/** Payload for the handler of action con. */
export interface ConPayload {
  readonly action: { readonly name: "con" };
  readonly input: Readonly<Record<string, never>>;
  readonly session_variables: SessionVariables;
  readonly request_query: string;
}

/** Payload for the handler of event trigger delete. */
export interface DeletePayload {
  readonly id: string;
  readonly created_at: string;
  readonly trigger: { readonly name: "delete" };
  readonly table: {
    readonly schema: "public";
    readonly name: "großer Auftrag";
  };
  readonly event: {
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

/** Payload for the handler of cron trigger *\/ export const pwned = 1; /*. */
export interface ExportConstPwned1Payload {
  readonly id: string;
  readonly name: "*/ export const pwned = 1; /*";
  readonly scheduled_time: string;
  readonly payload: null;
  readonly comment?: string;
}

/** The enum Handler. */
export type Handler_2 = "constructor" | "undefined";

/** Payload for the handler of event trigger order-placed. */
export interface OrderPlacedPayload {
  readonly id: string;
  readonly created_at: string;
  readonly trigger: { readonly name: "order-placed" };
  readonly table: {
    readonly schema: "public";
    readonly name: "großer Auftrag";
  };
  readonly event: {
    readonly op: "INSERT";
    readonly data: {
      readonly old: null;
      readonly new: OrderPlacedRow;
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

/** Payload for the handler of event trigger orderPlaced. */
export interface OrderPlacedPayload_2 {
  readonly id: string;
  readonly created_at: string;
  readonly trigger: { readonly name: "orderPlaced" };
  readonly table: {
    readonly schema: "public";
    readonly name: "großer Auftrag";
  };
  readonly event: {
    readonly op: "DELETE";
    readonly data: {
      readonly old: OrderPlacedRow_2;
      readonly new: null;
    };
    readonly session_variables?: SessionVariables | null;
    readonly trace_context?: TraceContext | null;
  };
  readonly delivery_info: DeliveryInfo;
}

/** Payload for the handler of event trigger order_placed. */
export interface OrderPlacedPayload_3 {
  readonly id: string;
  readonly created_at: string;
  readonly trigger: { readonly name: "order_placed" };
  readonly table: {
    readonly schema: "public";
    readonly name: "großer Auftrag";
  };
  readonly event: {
    readonly op: "UPDATE";
    readonly data: {
      readonly old: OrderPlacedRow_3;
      readonly new: OrderPlacedRow_3;
    };
    readonly session_variables?: SessionVariables | null;
    readonly trace_context?: TraceContext | null;
  };
  readonly delivery_info: DeliveryInfo;
}

/** A row of großer Auftrag in events of event trigger order-placed. */
export interface OrderPlacedRow {
  readonly "größe": number;
  readonly "日本": string | null;
  readonly "with \"quotes\" and `ticks`": string | null;
  readonly constructor: string;
  readonly class: boolean | null;
  readonly "2nd": number | null;
  readonly "white space": unknown;
}

/** A row of großer Auftrag in events of event trigger orderPlaced. */
export interface OrderPlacedRow_2 {
  readonly "größe": number;
  readonly "日本": string | null;
  readonly "with \"quotes\" and `ticks`": string | null;
  readonly constructor: string;
  readonly class: boolean | null;
  readonly "2nd": number | null;
  readonly "white space": unknown;
}

/** A row of großer Auftrag in events of event trigger order_placed. */
export interface OrderPlacedRow_3 {
  readonly "größe": number;
  readonly "日本": string | null;
}

/** Payload for the handler of action _. */
export interface Payload {
  readonly action: { readonly name: "_" };
  readonly input: Readonly<Record<string, never>>;
  readonly session_variables: SessionVariables;
  readonly request_query: string;
}

/** Payload for the handler of cron trigger !!!. */
export interface Payload_2 {
  readonly id: string;
  readonly name: "!!!";
  readonly scheduled_time: string;
  readonly payload: readonly unknown[];
  readonly comment?: string;
}

/** Payload for the handler of cron trigger ???. */
export interface Payload_3 {
  readonly id: string;
  readonly name: "???";
  readonly scheduled_time: string;
  readonly payload: null;
  readonly comment?: string;
}

/** The input type PlaceOrderPayload. */
export interface PlaceOrderPayload {
  readonly default: readonly string_2[];
  readonly toString?: z_2 | null;
  readonly handler: Handler_2;
}

/** Payload for the handler of action PlaceOrder. */
export interface PlaceOrderPayload_2 {
  readonly action: { readonly name: "PlaceOrder" };
  readonly input: Readonly<Record<string, never>>;
  readonly session_variables: SessionVariables;
  readonly request_query: string;
}

/** Payload for the handler of action placeOrder. */
export interface PlaceOrderPayload_3 {
  readonly action: { readonly name: "placeOrder" };
  readonly input: Readonly<Record<string, never>>;
  readonly session_variables: SessionVariables;
  readonly request_query: string;
}

/** Payload for the handler of action place_order. */
export interface PlaceOrderPayload_4 {
  readonly action: { readonly name: "place_order" };
  readonly input: {
    readonly this: PlaceOrderPayload;
    readonly arguments?: readonly (readonly number[] | null)[] | null;
    readonly constructor?: number | string | null;
  };
  readonly session_variables: SessionVariables;
  readonly request_query: string;
}

/** The output type Promise. */
export interface Promise_2 {
  readonly class: boolean;
  readonly of?: readonly Record_2[] | null | undefined;
}

/** The output type Record. */
export interface Record_2 {
  readonly constructor: number;
  readonly promise?: Promise_2 | null | undefined;
}

/** Payload for the handler of cron trigger 2 o'clock. */
export interface _2OClockPayload {
  readonly id: string;
  readonly name: "2 o'clock";
  readonly scheduled_time: string;
  readonly payload: null;
  readonly comment?: string;
}

/** The scalar string. */
export type string_2 = unknown;

/** The scalar z. */
export type z_2 = unknown;

/** Payload for the handler of cron trigger über nacht. */
export interface ÜberNachtPayload {
  readonly id: string;
  readonly name: "über nacht";
  readonly scheduled_time: string;
  readonly payload: null;
  readonly comment?: string;
}

/** Payload for the handler of cron trigger 日本. */
export interface 日本Payload {
  readonly id: string;
  readonly name: "日本";
  readonly scheduled_time: string;
  readonly payload: { readonly "größe": number };
  readonly comment?: string;
}

// ---------------------------------------------------------------- validators, each named like its type

const numberOrText = z.union([z.number(), z.string()]);

const ownMembers = <T>(type: z.ZodType<T>): z.ZodType<T> =>
  z.preprocess((value) => (isRecord(value) ? Object.assign(Object.create(null), value) : value), type);

export const AwaitPayload: z.ZodType<AwaitPayload> = z.lazy(() =>
  z.object({
    action: z.object({ name: z.literal("await") }),
    input: z.record(z.string(), z.never()),
    session_variables: SessionVariables,
    request_query: z.string(),
  }),
);

export const AwaitPayload_2: z.ZodType<AwaitPayload_2> = z.lazy(() =>
  z.object({
    id: z.string(),
    name: z.literal("await"),
    scheduled_time: z.string(),
    payload: z.array(z.union([z.array(z.unknown()), z.array(z.union([z.number(), z.string()]))])),
    comment: z.exactOptional(z.string()),
  }),
);

export const ClassPayload: z.ZodType<ClassPayload> = z.lazy(() =>
  z.object({
    action: z.object({ name: z.literal("class") }),
    input: z.record(z.string(), z.never()),
    session_variables: SessionVariables,
    request_query: z.null(),
  }),
);

export const ConPayload: z.ZodType<ConPayload> = z.lazy(() =>
  z.object({
    action: z.object({ name: z.literal("con") }),
    input: z.record(z.string(), z.never()),
    session_variables: SessionVariables,
    request_query: z.string(),
  }),
);

export const DeletePayload: z.ZodType<DeletePayload> = z.lazy(() =>
  z.object({
    id: z.string(),
    created_at: z.string(),
    trigger: z.object({ name: z.literal("delete") }),
    table: z.object({
      schema: z.literal("public"),
      name: z.literal("großer Auftrag"),
    }),
    event: z.object({
      op: z.literal("MANUAL"),
      data: z.object({
        old: z.null(),
        new: z.unknown(),
      }),
      session_variables: z.exactOptional(z.nullable(SessionVariables)),
      trace_context: z.exactOptional(z.nullable(TraceContext)),
    }),
    delivery_info: DeliveryInfo,
  }),
);

export const ExportConstPwned1Payload: z.ZodType<ExportConstPwned1Payload> = z.lazy(() =>
  z.object({
    id: z.string(),
    name: z.literal("*/ export const pwned = 1; /*"),
    scheduled_time: z.string(),
    payload: z.null(),
    comment: z.exactOptional(z.string()),
  }),
);

export const Handler_2: z.ZodType<Handler_2> = z.lazy(() => z.enum(["constructor", "undefined"]));

export const OrderPlacedPayload: z.ZodType<OrderPlacedPayload> = z.lazy(() =>
  z.object({
    id: z.string(),
    created_at: z.string(),
    trigger: z.object({ name: z.literal("order-placed") }),
    table: z.object({
      schema: z.literal("public"),
      name: z.literal("großer Auftrag"),
    }),
    event: z.union([z.object({
      op: z.literal("INSERT"),
      data: z.object({
        old: z.null(),
        new: OrderPlacedRow,
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

export const OrderPlacedPayload_2: z.ZodType<OrderPlacedPayload_2> = z.lazy(() =>
  z.object({
    id: z.string(),
    created_at: z.string(),
    trigger: z.object({ name: z.literal("orderPlaced") }),
    table: z.object({
      schema: z.literal("public"),
      name: z.literal("großer Auftrag"),
    }),
    event: z.object({
      op: z.literal("DELETE"),
      data: z.object({
        old: OrderPlacedRow_2,
        new: z.null(),
      }),
      session_variables: z.exactOptional(z.nullable(SessionVariables)),
      trace_context: z.exactOptional(z.nullable(TraceContext)),
    }),
    delivery_info: DeliveryInfo,
  }),
);

export const OrderPlacedPayload_3: z.ZodType<OrderPlacedPayload_3> = z.lazy(() =>
  z.object({
    id: z.string(),
    created_at: z.string(),
    trigger: z.object({ name: z.literal("order_placed") }),
    table: z.object({
      schema: z.literal("public"),
      name: z.literal("großer Auftrag"),
    }),
    event: z.object({
      op: z.literal("UPDATE"),
      data: z.object({
        old: OrderPlacedRow_3,
        new: OrderPlacedRow_3,
      }),
      session_variables: z.exactOptional(z.nullable(SessionVariables)),
      trace_context: z.exactOptional(z.nullable(TraceContext)),
    }),
    delivery_info: DeliveryInfo,
  }),
);

export const OrderPlacedRow: z.ZodType<OrderPlacedRow> = z.lazy(() =>
  z.object({
    "größe": z.number(),
    "日本": z.nullable(z.string()),
    "with \"quotes\" and `ticks`": z.nullable(z.string()),
    constructor: z.string(),
    class: z.nullable(z.boolean()),
    "2nd": z.nullable(z.number()),
    "white space": z.unknown(),
  }),
);

export const OrderPlacedRow_2: z.ZodType<OrderPlacedRow_2> = z.lazy(() =>
  z.object({
    "größe": z.number(),
    "日本": z.nullable(z.string()),
    "with \"quotes\" and `ticks`": z.nullable(z.string()),
    constructor: z.string(),
    class: z.nullable(z.boolean()),
    "2nd": z.nullable(z.number()),
    "white space": z.unknown(),
  }),
);

export const OrderPlacedRow_3: z.ZodType<OrderPlacedRow_3> = z.lazy(() =>
  z.object({
    "größe": z.number(),
    "日本": z.nullable(z.string()),
  }),
);

export const Payload: z.ZodType<Payload> = z.lazy(() =>
  z.object({
    action: z.object({ name: z.literal("_") }),
    input: z.record(z.string(), z.never()),
    session_variables: SessionVariables,
    request_query: z.string(),
  }),
);

export const Payload_2: z.ZodType<Payload_2> = z.lazy(() =>
  z.object({
    id: z.string(),
    name: z.literal("!!!"),
    scheduled_time: z.string(),
    payload: z.array(z.unknown()),
    comment: z.exactOptional(z.string()),
  }),
);

export const Payload_3: z.ZodType<Payload_3> = z.lazy(() =>
  z.object({
    id: z.string(),
    name: z.literal("???"),
    scheduled_time: z.string(),
    payload: z.null(),
    comment: z.exactOptional(z.string()),
  }),
);

export const PlaceOrderPayload: z.ZodType<PlaceOrderPayload> = z.lazy(() =>
  ownMembers(z.object({
    default: z.array(string_2),
    toString: z.exactOptional(z.nullable(z_2)),
    handler: Handler_2,
  })),
);

export const PlaceOrderPayload_2: z.ZodType<PlaceOrderPayload_2> = z.lazy(() =>
  z.object({
    action: z.object({ name: z.literal("PlaceOrder") }),
    input: z.record(z.string(), z.never()),
    session_variables: SessionVariables,
    request_query: z.string(),
  }),
);

export const PlaceOrderPayload_3: z.ZodType<PlaceOrderPayload_3> = z.lazy(() =>
  z.object({
    action: z.object({ name: z.literal("placeOrder") }),
    input: z.record(z.string(), z.never()),
    session_variables: SessionVariables,
    request_query: z.string(),
  }),
);

export const PlaceOrderPayload_4: z.ZodType<PlaceOrderPayload_4> = z.lazy(() =>
  z.object({
    action: z.object({ name: z.literal("place_order") }),
    input: ownMembers(z.object({
      this: PlaceOrderPayload,
      arguments: z.exactOptional(z.nullable(z.array(z.nullable(z.array(z.number()))))),
      constructor: z.exactOptional(z.nullable(numberOrText)),
    })),
    session_variables: SessionVariables,
    request_query: z.string(),
  }),
);

export const _2OClockPayload: z.ZodType<_2OClockPayload> = z.lazy(() =>
  z.object({
    id: z.string(),
    name: z.literal("2 o'clock"),
    scheduled_time: z.string(),
    payload: z.null(),
    comment: z.exactOptional(z.string()),
  }),
);

export const string_2: z.ZodType<string_2> = z.lazy(() => z.unknown());

export const z_2: z.ZodType<z_2> = z.lazy(() => z.unknown());

export const ÜberNachtPayload: z.ZodType<ÜberNachtPayload> = z.lazy(() =>
  z.object({
    id: z.string(),
    name: z.literal("über nacht"),
    scheduled_time: z.string(),
    payload: z.null(),
    comment: z.exactOptional(z.string()),
  }),
);

export const 日本Payload: z.ZodType<日本Payload> = z.lazy(() =>
  z.object({
    id: z.string(),
    name: z.literal("日本"),
    scheduled_time: z.string(),
    payload: z.object({ "größe": z.number() }),
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
  define<PlaceOrderPayload_2, string_2 | null>(
    { kind: "action", name: "PlaceOrder", label: "action PlaceOrder", secrets: [] },
    PlaceOrderPayload_2,
    placeOrder,
  ),
  define<Payload, z_2 | null>(
    { kind: "action", name: "_", label: "action _", secrets: [] },
    Payload,
    _,
  ),
  define<AwaitPayload, readonly (readonly (Promise_2 | null)[])[] | null>(
    { kind: "action", name: "await", label: "action await", secrets: [] },
    AwaitPayload,
    await_,
  ),
  define<ClassPayload, Record_2 | null>(
    { kind: "action", name: "class", label: "action class", secrets: [] },
    ClassPayload,
    class_,
  ),
  define<ConPayload, boolean | null>(
    { kind: "action", name: "con", label: "action con", secrets: [] },
    ConPayload,
    con,
  ),
  define<PlaceOrderPayload_3, Handler_2>(
    { kind: "action", name: "placeOrder", label: "action placeOrder", secrets: [] },
    PlaceOrderPayload_3,
    placeOrder_2,
  ),
  define<PlaceOrderPayload_4, readonly Record_2[]>(
    { kind: "action", name: "place_order", label: "action place_order", secrets: [] },
    PlaceOrderPayload_4,
    placeOrder_3,
  ),
  define<DeletePayload, unknown>(
    {
      kind: "event",
      name: "delete",
      label: "event trigger delete",
      source: "default",
      table: { schema: "public", name: "großer Auftrag" },
      secrets: [],
    },
    DeletePayload,
    delete_,
  ),
  define<OrderPlacedPayload, unknown>(
    {
      kind: "event",
      name: "order-placed",
      label: "event trigger order-placed",
      source: "default",
      table: { schema: "public", name: "großer Auftrag" },
      secrets: [],
    },
    OrderPlacedPayload,
    orderPlaced,
  ),
  define<OrderPlacedPayload_2, unknown>(
    {
      kind: "event",
      name: "orderPlaced",
      label: "event trigger orderPlaced",
      source: "default",
      table: { schema: "public", name: "großer Auftrag" },
      secrets: [],
    },
    OrderPlacedPayload_2,
    orderPlaced_2,
  ),
  define<OrderPlacedPayload_3, unknown>(
    {
      kind: "event",
      name: "order_placed",
      label: "event trigger order_placed",
      source: "default",
      table: { schema: "public", name: "großer Auftrag" },
      secrets: [],
    },
    OrderPlacedPayload_3,
    orderPlaced_3,
  ),
  define<Payload_2, unknown>(
    { kind: "cron", name: "!!!", label: "cron trigger !!!", secrets: [] },
    Payload_2,
    __2,
  ),
  define<ExportConstPwned1Payload, unknown>(
    {
      kind: "cron",
      name: "*/ export const pwned = 1; /*",
      label: "cron trigger */ export const pwned = 1; /*",
      secrets: [],
    },
    ExportConstPwned1Payload,
    exportConstPwned1,
  ),
  define<_2OClockPayload, unknown>(
    { kind: "cron", name: "2 o'clock", label: "cron trigger 2 o'clock", secrets: [] },
    _2OClockPayload,
    _2OClock,
  ),
  define<Payload_3, unknown>(
    { kind: "cron", name: "???", label: "cron trigger ???", secrets: [] },
    Payload_3,
    __3,
  ),
  define<AwaitPayload_2, unknown>(
    { kind: "cron", name: "await", label: "cron trigger await", secrets: [] },
    AwaitPayload_2,
    await__2,
  ),
  define<ÜberNachtPayload, unknown>(
    { kind: "cron", name: "über nacht", label: "cron trigger über nacht", secrets: [] },
    ÜberNachtPayload,
    überNacht,
  ),
  define<日本Payload, unknown>(
    { kind: "cron", name: "日本", label: "cron trigger 日本", secrets: [] },
    日本Payload,
    日本,
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
