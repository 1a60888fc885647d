/** Forwards requests and WebSockets to the project's server, without adding credentials: the page sends its own. */
import {
  type ClientRequest,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { request as httpsRequest, type RequestOptions } from "node:https";
import type { Duplex } from "node:stream";
import { pipeline } from "node:stream/promises";
import { EngineError } from "../../values/errors.ts";

export interface ForwardTarget {
  /** Without a trailing slash. */
  readonly endpoint: string;
  readonly verifyTls: boolean;
  /** Certificate authorities, instead of Node's defaults. */
  readonly ca: string[] | undefined;
}

/**
 * Headers that are not forwarded, because they concern one connection, or only the browser and this server. Cookies are
 * not forwarded, because all servers on this host share them.
 */
const hopHeaders: ReadonlySet<string> = new Set([
  "connection",
  "cookie",
  "host",
  "keep-alive",
  "origin",
  "proxy-authenticate",
  "proxy-authorization",
  "referer",
  "set-cookie",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "x-engine-console-key",
]);

/**
 * Forwards a request and its response.
 * @param beforeReply runs when the server has responded, before the client gets the response
 * @throws EngineError if the server is unreachable, before anything is written
 */
export async function forward(
  request: IncomingMessage,
  reply: ServerResponse,
  target: ForwardTarget,
  beforeReply: () => Promise<void> = async () => undefined,
): Promise<void> {
  const sent = openRequest(request, target, {});
  reply.once("close", () => sent.destroy());
  // After the server has responded, errors while sending the remaining body are ignored.
  const sending = pipeline(request, sent).catch(() => undefined);
  const response = await responseOf(sent, target);
  await beforeReply();
  reply.writeHead(response.statusCode ?? 502, forwarded(response.headers));
  await pipeline(response, reply).catch(() => reply.destroy());
  await sending;
}

/** Connects the two sockets once the server has accepted the upgrade. */
export function forwardUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, target: ForwardTarget): void {
  const headers = { connection: "Upgrade", upgrade: request.headers.upgrade ?? "" };
  const sent = openRequest(request, target, headers);
  const end = (): void => {
    sent.destroy();
    socket.destroy();
  };
  socket.on("error", end);
  socket.on("close", end);
  sent.on("error", end);
  // The server has refused the upgrade.
  sent.on("response", (response) => {
    const { statusCode = 502, statusMessage = "" } = response;
    socket.end(`HTTP/1.1 ${statusCode} ${statusMessage}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
    response.resume();
  });
  sent.on("upgrade", (response, upstream, first) => {
    const lines = Object.entries(response.headers).map(([name, value]) => `${name}: ${[value].flat().join(", ")}`);
    socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join("\r\n")}\r\n\r\n`);
    socket.write(first);
    upstream.write(head);
    upstream.on("error", end);
    upstream.pipe(socket).pipe(upstream);
  });
  sent.end();
}

function openRequest(request: IncomingMessage, target: ForwardTarget, more: IncomingHttpHeaders): ClientRequest {
  const { endpoint, verifyTls, ca } = target;
  const url = new URL(endpoint);
  const options: RequestOptions = {
    method: request.method,
    path: `${url.pathname.replace(/\/$/, "")}${request.url}`,
    headers: { ...forwarded(request.headers), ...more },
    rejectUnauthorized: verifyTls,
    ...(ca !== undefined && { ca }),
  };
  return url.protocol === "https:" ? httpsRequest(url, options) : httpRequest(url, options);
}

function responseOf(sent: ClientRequest, { endpoint }: ForwardTarget): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    sent.once("response", resolve);
    sent.once("error", (error) => {
      const reason = error.message === "" && "code" in error ? String(error.code) : error.message;
      const message = `cannot reach the server at ${endpoint}: ${reason}`;
      reject(new EngineError("connection error", "$", message, { status: 502, cause: error }));
    });
  });
}

function forwarded(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const kept = Object.entries(headers).filter(([name]) => !hopHeaders.has(name) && !name.startsWith("sec-fetch-"));
  return Object.fromEntries(kept);
}
