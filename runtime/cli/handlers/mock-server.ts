/**
 * Handlers that nobody has written: each call of an action is answered with made-up values of its output type, events
 * with nothing. The same call gets the same answer. It listens on this machine only, and checks no signatures.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Handler, Handlers } from "../../../compiler/handlers/handlers.ts";
import { EngineError } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import { mockValue } from "./mock-value.ts";

export interface MockSettings {
  /** 0: any that is free. */
  readonly port: number;
  readonly seed: string;
}

export interface MockServer {
  readonly url: string;
  setHandlers(handlers: Handlers): void;
  close(): Promise<void>;
}

const longestBody = 8 * 1024 * 1024;

/** @throws EngineError when the port is taken */
export async function startMock({ port, seed }: MockSettings): Promise<MockServer> {
  let known: Handlers = { types: [], handlers: [] };
  const server = createServer((request, response) => {
    answer(request, known, seed).then(
      ({ status, value }) => send(response, status, value),
      (error: unknown) => send(response, 500, { message: error instanceof EngineError ? error.message : "failed" }),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => {
      reject(new EngineError("unexpected", "$", `cannot listen on port ${port}: ${error.message}`, { cause: error }));
    });
    server.listen(port, "127.0.0.1", resolve);
  });
  const address: AddressInfo | string | null = server.address();
  const used = typeof address === "object" ? address?.port : port;
  return {
    url: `http://127.0.0.1:${used}`,
    setHandlers: (handlers) => {
      known = handlers;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Reply {
  readonly status: number;
  readonly value?: unknown;
}

async function answer(request: IncomingMessage, { types, handlers }: Handlers, seed: string): Promise<Reply> {
  const text = await bodyOf(request);
  if (text === undefined) return { status: 413, value: { message: "the body is too long" } };
  const body = jsonOf(text);
  const handler = handlerFor(request.url ?? "/", body, handlers);
  if (handler === undefined) return { status: 404, value: { message: "the metadata has no such handler" } };
  if (handler.result === null) return { status: 204 };
  const known = new Map(types.map((type) => [type.name, type]));
  const input = isObject(body) ? body.input : text;
  return { status: 200, value: mockValue(handler.result, known, JSON.stringify([seed, handler.name, input])) };
}

function send(response: ServerResponse, status: number, value: unknown): void {
  response.statusCode = status;
  if (status === 413) response.setHeader("connection", "close");
  if (value === undefined) {
    response.end();
    return;
  }
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(value));
}

async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  const parts = request[Symbol.asyncIterator]();
  for (let part = await parts.next(); part.done !== true; part = await parts.next()) {
    const chunk: unknown = part.value;
    if (!(chunk instanceof Uint8Array)) continue;
    length += chunk.length;
    if (length > longestBody) return undefined;
    chunks.push(Buffer.from(chunk));
  }
  return Buffer.concat(chunks).toString("utf8");
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** As the router of the generated module finds it: by the end of the path, else by the names in the body. */
function handlerFor(url: string, body: unknown, handlers: readonly Handler[]): Handler | undefined {
  const path = url.split("?", 1).join("");
  const part = encodeURIComponent;
  const byPath = handlers.find(({ kind, source, name }) =>
    path.endsWith(kind === "event" ? `/events/${part(source ?? "")}/${part(name)}` : `/${kind}s/${part(name)}`),
  );
  if (byPath || !isObject(body)) return byPath;
  const nameIn = (value: unknown): unknown => (isObject(value) ? value.name : undefined);
  return handlers.find(({ kind, name }) => {
    if (kind === "action") return nameIn(body.action) === name;
    return kind === "event" ? nameIn(body.trigger) === name : body.name === name && body.scheduled_time !== undefined;
  });
}
