/**
 * Mounts the server in a host program: it serves requests that the host received, from `node:http` or the Fetch API, as
 * if they had arrived on its own port.
 */
import {
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
  request as send,
} from "node:http";
import * as stream from "node:stream";
import { type Duplex, Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";

export interface Mounted {
  /** A listener for `server.on("request")`; the body must be unread. */
  listener(request: IncomingMessage, reply: ServerResponse): void;
  /** A listener for `server.on("upgrade")`. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /**
   * Serves a request of the Fetch API. Rejects if the request is aborted or its body cannot be read.
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

/**
 * Joins repeated `Authorization` headers. Unless the host sets `joinDuplicateHeaders`, Node keeps only the first one,
 * and a proxy may have checked another.
 */
function joinCredentials(request: IncomingMessage): void {
  const { authorization } = request.headersDistinct;
  if (authorization !== undefined && authorization.length > 1) request.headers.authorization = authorization.join(", ");
}

/** Sends the request over an in-memory connection, so that all limits for requests on a port apply. */
async function fetchFrom(server: Server, request: Request, peer: string): Promise<Response> {
  // Not a named import, with which an artifact would not load on Node 18 and report the version that it needs.
  const [near, far] = stream.duplexPair();
  server.emit("connection", Object.assign(far, { remoteAddress: peer }));
  near.once("close", () => far.destroy());
  const { host, pathname, search } = new URL(request.url);
  const { method, signal, body } = request;
  // The client's content-length is dropped, because with a wrong one the remaining bytes of the body would be read as
  // another request.
  const { "content-length": _length, ...headers } = headersOf(request.headers);
  const outgoing = send({
    createConnection: () => near,
    method,
    path: `${pathname}${search}`,
    headers: { host, ...headers, connection: "close" },
    signal,
  });
  const responded = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once("response", resolve);
    outgoing.once("error", reject);
  });
  if (body === null) outgoing.end();
  // An early response stops the transfer of the body.
  else pipeline(Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]), outgoing).catch(() => undefined);
  return await responseOf(await responded, method);
}

/** Hop-by-hop headers. */
const hopByHop: ReadonlySet<string> = new Set(["connection", "keep-alive", "transfer-encoding", "upgrade", "expect"]);

function headersOf(headers: Headers): OutgoingHttpHeaders {
  return Object.fromEntries([...headers].filter(([name]) => !hopByHop.has(name)));
}

/** Maximum size in bytes of responses that are buffered even if the caller does not read them. */
const bufferedBytes = 64 * 1024;

async function responseOf(incoming: IncomingMessage, method: string): Promise<Response> {
  const { statusCode: status = 500, statusMessage: statusText = "", headersDistinct } = incoming;
  const headers = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    hopByHop.has(name) ? [] : values.map((value): [string, string] => [name, value]),
  );
  const hasBody = method !== "HEAD" && status !== 204 && status !== 304;
  const isShort = Number(incoming.headers["content-length"] ?? Infinity) <= bufferedBytes;
  const bytes = isShort || !hasBody ? await buffer(incoming) : Readable.toWeb(incoming);
  // In bundles, another declaration may shadow the bare name.
  return new globalThis.Response(hasBody ? (bytes as ReadableStream | Buffer<ArrayBuffer>) : null, {
    status,
    statusText,
    headers,
  });
}
