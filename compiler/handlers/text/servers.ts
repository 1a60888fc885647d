/** Fixed part of the generated module: adapters of the router for Fetch, Node and Express. */
export const serversText = `// ---------------------------------------------------------------- servers

/** A request of \`node:http\`, or of Express. */
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

/** Returns all bytes; \`undefined\` if there are more than the maximum. */
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
`;
