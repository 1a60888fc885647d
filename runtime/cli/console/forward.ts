/** Requests and WebSockets → the project's server. Nothing is added: the page sends its credentials itself. */
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
  /** Without a slash at the end. */
  readonly endpoint: string;
  readonly verifyTls: boolean;
  /** Certificates of authorities, instead of those that Node trusts. */
  readonly ca: string[] | undefined;
}

/** Of one connection, or of the browser and this machine alone: cookies are those of all servers here. */
const ownHeaders: ReadonlySet<string> = new Set([
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
 * Sends the request on, and its answer back.
 * @throws EngineError when the server does not answer; nothing is written then
 */
export async function forward(request: IncomingMessage, reply: ServerResponse, target: ForwardTarget): Promise<void> {
  const sent = openRequest(request, target, {});
  reply.once("close", () => sent.destroy());
  // What is left of the body when the server has answered is of no use to anybody.
  const sending = pipeline(request, sent).catch(() => undefined);
  const answer = await answerOf(sent, target);
  reply.writeHead(answer.statusCode ?? 502, passedOn(answer.headers));
  await pipeline(answer, reply).catch(() => reply.destroy());
  await sending;
}

/** Connects the two sockets, once the server has agreed. */
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
  // The server refuses.
  sent.on("response", (answer) => {
    const { statusCode = 502, statusMessage = "" } = answer;
    socket.end(`HTTP/1.1 ${statusCode} ${statusMessage}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
    answer.resume();
  });
  sent.on("upgrade", (answer, upstream, first) => {
    const lines = Object.entries(answer.headers).map(([name, value]) => `${name}: ${[value].flat().join(", ")}`);
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
    headers: { ...passedOn(request.headers), ...more },
    rejectUnauthorized: verifyTls,
    ...(ca !== undefined && { ca }),
  };
  return url.protocol === "https:" ? httpsRequest(url, options) : httpRequest(url, options);
}

function answerOf(sent: ClientRequest, { endpoint }: ForwardTarget): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    sent.once("response", resolve);
    sent.once("error", (error) => {
      const reason = error.message === "" && "code" in error ? String(error.code) : error.message;
      const message = `the server at ${endpoint} does not answer: ${reason}`;
      reject(new EngineError("connection error", "$", message, { status: 502, cause: error }));
    });
  });
}

function passedOn(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const kept = Object.entries(headers).filter(([name]) => !ownHeaders.has(name) && !name.startsWith("sec-fetch-"));
  return Object.fromEntries(kept);
}
