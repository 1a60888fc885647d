/**
 * The server inside a program that has one of its own: takes requests that the other received, of `node:http` or of the
 * Fetch standard, as if they had come through its port.
 */
import {
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
  request as send,
} from "node:http";
import { type Duplex, duplexPair, Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";

export interface Mounted {
  /** As `server.on("request")` has it; nothing may have read the body before. */
  listener(request: IncomingMessage, reply: ServerResponse): void;
  /** As `server.on("upgrade")` has it. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /**
   * Rejects where the request is aborted, or its body cannot be read.
   * @param peer address of the client
   */
  fetch(request: Request, peer: string): Promise<Response>;
}

export function mountedOn(server: Server): Mounted {
  return {
    listener(request, reply) {
      joinCredentials(request);
      server.emit("request", request, reply);
    },
    upgrade: (request, socket, head) => void server.emit("upgrade", request, socket, head),
    fetch: (request, peer) => fetchFrom(server, request, peer),
  };
}

/** Node takes the first of several, where its server was not told otherwise; a proxy in front may have looked at another. */
function joinCredentials(request: IncomingMessage): void {
  const { authorization } = request.headersDistinct;
  if (authorization !== undefined && authorization.length > 1) request.headers.authorization = authorization.join(", ");
}

/** Over a connection in memory: what holds for requests that come through a port holds here. */
async function fetchFrom(server: Server, request: Request, peer: string): Promise<Response> {
  const [near, far] = duplexPair();
  server.emit("connection", Object.assign(far, { remoteAddress: peer }));
  near.once("close", () => far.destroy());
  const { host, pathname, search } = new URL(request.url);
  const { method, signal, body } = request;
  // As long as the body is, whatever the client says of it: what follows it would be read as another request.
  const { "content-length": _length, ...headers } = headersOf(request.headers);
  const outgoing = send({
    createConnection: () => near,
    method,
    path: `${pathname}${search}`,
    headers: { host, ...headers, connection: "close" },
    signal,
  });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once("response", resolve);
    outgoing.once("error", reject);
  });
  if (body === null) outgoing.end();
  // An answer may come before the body has been read, and ends the sending of the rest.
  else pipeline(Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]), outgoing).catch(() => undefined);
  return await responseOf(await answered, method);
}

/** Those of the connection are this one's. */
const ofConnection: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "transfer-encoding",
  "upgrade",
  "expect",
]);

function headersOf(headers: Headers): OutgoingHttpHeaders {
  return Object.fromEntries([...headers].filter(([name]) => !ofConnection.has(name)));
}

/** In bytes: answers up to this length do not wait for the caller to read them. */
const shortAnswer = 64 * 1024;

async function responseOf(incoming: IncomingMessage, method: string): Promise<Response> {
  const { statusCode: status = 500, statusMessage: statusText = "", headersDistinct } = incoming;
  const headers = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    ofConnection.has(name) ? [] : values.map((value): [string, string] => [name, value]),
  );
  const hasBody = method !== "HEAD" && status !== 204 && status !== 304;
  const isShort = Number(incoming.headers["content-length"] ?? Infinity) <= shortAnswer;
  const bytes = isShort || !hasBody ? await buffer(incoming) : Readable.toWeb(incoming);
  // By this name: bundles have no other one.
  return new globalThis.Response(hasBody ? (bytes as ReadableStream | Buffer<ArrayBuffer>) : null, {
    status,
    statusText,
    headers,
  });
}
