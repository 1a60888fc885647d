/** Fixed part of the generated module: finds the handler of a call and builds the response. */
export const routerText = `// ---------------------------------------------------------------- router

/** The headers of a call and of its response. */
export interface HandlerContext {
  /** Request headers: those configured in the metadata, and the client's if they are forwarded. */
  readonly headers: Headers;
  /** Response headers. \`set-cookie\` of an action is forwarded to the client. */
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
  /** Listener for \`createServer\` of \`node:http\`. */
  node(request: NodeRequest, response: NodeResponse): Promise<void>;
  /** Middleware for Express, before \`express.json()\`; \`express.raw({ type: "*\\/*" })\` may precede it. */
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
  /** \`undefined\` if it is too long. */
  readonly body: Uint8Array | undefined;
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** \`null\` for a response without a body. */
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
  else console.error(\`\${handler} failed:\`, error);
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
  if (signers.size === 0 && unset) throw new Error(\`no signing secret is set: \${unset.secrets.join(", ")}\`);
  return signers;
}

function checkSigner({ label, secrets }: Handler, signers: ReadonlySet<string>, { unsigned }: RouterOptions): void {
  if (secrets.some((name) => signers.has(name))) return;
  if (secrets.length > 0) throw notSigned(\`the call is not signed by a secret of \${label}\`);
  if (unsigned !== "accept") throw notSigned(\`the metadata has no signing secret for \${label}\`);
}

/**
 * Finds a handler by the end of the path (\`/actions/<name>\`, \`/events/<source>/<name>\`, \`/crons/<name>\`), or by the
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
      (handler.kind === "event" ? folder === "events" && source === handler.source : source === \`\${handler.kind}s\`),
  );
  const byBody = handlers.find((handler) => isNamed(handler, body));
  if (byPath === undefined || byBody === undefined) return byPath ?? byBody;
  if (isNamed(byPath, body)) return byPath;
  throw new HandlerError(\`the payload is for \${byBody.label}, not for \${byPath.label}\`, { code: "invalid-payload" });
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
`;

/** Text for modules that have handlers. */
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
