/** The fixed part of the generated module: which handler a call is for, and what it is answered. */
export const routerText = `// ---------------------------------------------------------------- router

/** What a handler may use besides its payload. */
export interface HandlerContext {
  /** Of the call: those that the metadata configures, and the client's where it forwards them. */
  readonly headers: Headers;
  /** Of the answer. The client of an action gets its \`set-cookie\`. */
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
  /** For \`createServer\` of \`node:http\`. */
  node(request: NodeRequest, response: NodeResponse): Promise<void>;
  /** For Express, before \`express.json()\`; \`express.raw({ type: "*\\/*" })\` may stand before it. */
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
  /** \`undefined\`: it is too long. */
  readonly body: Uint8Array | undefined;
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** \`null\`: none. */
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
    const payload = parsed(body);
    handler = handlerFor(call.path, payload);
    if (!handler) throw new HandlerError("there is no such handler", { status: 404, code: "not-found" });
    await checkSignature(handler, { headers, body }, options);
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
  else console.error(\`\${handler} failed:\`, error);
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw new HandlerError("the body is no JSON", { code: "invalid-payload" });
  }
}

async function checkSignature({ label, secrets }: Handler, call: SignedCall, options: RouterOptions): Promise<void> {
  const refused = (message: string) => new HandlerError(message, { status: 401, code: "not-signed" });
  if (secrets.length === 0) {
    if (options.unsigned === "accept") return;
    throw refused(\`the metadata has no signing secret for \${label}\`);
  }
  const known = secrets.flatMap((name) => options.secrets[name] || []);
  if (known.length === 0) throw new Error(\`no signing secret is set: \${secrets.join(", ")}\`);
  if (!(await isSigned(call, known, options))) throw refused("the call is not signed, or too old");
}

/**
 * By the end of the path (\`/actions/<name>\`, \`/events/<source>/<name>\`, \`/crons/<name>\`), else by the names in the
 * body: where a transform has changed that, the path has to say it.
 */
function handlerFor(path: string, body: unknown): Handler | undefined {
  const parts = path.split("/").map(decoded);
  const [folder, source, name] = parts.slice(-3);
  for (const handler of handlers) {
    if (handler.name !== name) continue;
    if (handler.kind === "event" ? folder === "events" && source === handler.source : source === \`\${handler.kind}s\`) {
      return handler;
    }
  }
  const { action, trigger, table, name: own, scheduled_time: time } = isRecord(body) ? body : {};
  return handlers.find((handler) => {
    switch (handler.kind) {
      case "action":
        return isRecord(action) && action.name === handler.name;
      case "event":
        return isRecord(trigger) && trigger.name === handler.name && isTable(table, handler.table);
      case "cron":
        return own === handler.name && time !== undefined;
    }
  });
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
`;

/** Of a module with handlers. */
export const defineText = `function define<Payload, Result>(
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
      throw new HandlerError(\`\${place}: \${issue?.message ?? "invalid"}\`, { code: "invalid-payload" });
    },
  };
}
`;
