/**
 * Serves mocks of handlers: random values of the output type for actions, empty responses for events. Equal calls get
 * equal responses. The server listens on the loopback address only, and checks no signatures.
 */

import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonType, TextFormat } from "../../../compiler/dialects/json-type.ts";
import type { DeclaredType, Handler, Handlers } from "../../../compiler/handlers/handlers.ts";
import { EngineError } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";

export interface MockSettings {
  /** `0` for any free port. */
  readonly port: number;
  readonly seed: string;
}

export interface MockServer {
  readonly url: string;
  setHandlers(handlers: Handlers): void;
  close(): Promise<void>;
}

const maxBodyBytes = 8 * 1024 * 1024;

/** @throws EngineError if the port is in use */
export async function startMock({ port, seed }: MockSettings): Promise<MockServer> {
  let current: Handlers = { types: [], handlers: [] };
  const server = createServer((request, response) => {
    respond(request, current, seed).then(
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
      current = handlers;
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

async function respond(request: IncomingMessage, { types, handlers }: Handlers, seed: string): Promise<Reply> {
  const text = await bodyOf(request);
  if (text === undefined) return { status: 413, value: { message: "the body is too long" } };
  const body = jsonOf(text);
  const handler = handlerFor(request.url ?? "/", body, handlers);
  if (handler === undefined) return { status: 404, value: { message: "the metadata has no such handler" } };
  if (handler.result === null) return { status: 204 };
  const typesByName = new Map(types.map((type) => [type.name, type]));
  const input = isObject(body) ? body.input : text;
  return { status: 200, value: mockValue(handler.result, typesByName, JSON.stringify([seed, handler.name, input])) };
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
    if (length > maxBodyBytes) return undefined;
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

/** Finds a handler like the router of the generated module: by the end of the path, or by the names in the body. */
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

/** Maximum depth of filled values. Deeper nullable values are null, and deeper lists are empty. */
const maxFilledDepth = 3;
/** Maximum depth of a type. Deeper types are considered infinite. */
const maxDepth = 30;

/**
 * Returns a random value of a type. Equal seeds give equal values.
 * @throws EngineError for a type without values: an enum without values, or an object that always contains itself
 */
export function mockValue(type: JsonType, types: ReadonlyMap<string, DeclaredType>, seed: string): unknown {
  const random = randomNumbers(seed);
  const below = (count: number): number => random() % count;

  const made = (each: JsonType, depth: number): unknown => {
    if (depth > maxDepth) throw noValue("an infinite type");
    const isDeep = depth >= maxFilledDepth;
    switch (each.kind) {
      case "string":
        return each.format === undefined ? word() : textOf(each.format);
      case "number":
        return each.integer ? below(1000) + 1 : (below(100_000) + 1) / 100;
      case "float":
        return (below(100_000) + 1) / 100;
      case "number_or_text":
        return below(1000) + 1;
      case "boolean":
        return below(2) === 0;
      case "null":
        return null;
      case "unknown":
        return word();
      case "literal":
        return each.value;
      case "enum":
        if (each.values.length === 0) throw noValue("an enum without values");
        return each.values[below(each.values.length)];
      case "named":
        return made(types.get(each.name)?.type ?? { kind: "unknown" }, depth);
      case "list":
        return isDeep ? [] : Array.from({ length: below(3) + 1 }, () => made(each.item, depth + 1));
      case "nullable":
        return isDeep || below(8) === 0 ? null : made(each.of, depth);
      case "union":
        return made(each.of[below(each.of.length)] ?? { kind: "null" }, depth);
      case "object":
        return Object.fromEntries(each.members.map(({ name, type: own }) => [name, made(own, depth + 1)]));
      case "record":
        return { [word()]: made(each.value, depth + 1) };
    }
  };

  const word = (): string => words[below(words.length)] ?? "";
  const two = (number: number): string => String(number).padStart(2, "0");
  const date = (): string => `${2020 + below(10)}-${two(below(12) + 1)}-${two(below(28) + 1)}`;
  const time = (): string => `${two(below(24))}:${two(below(60))}:${two(below(60))}`;
  const hex = (length: number): string => Array.from({ length }, () => below(16).toString(16)).join("");

  const textOf = (format: TextFormat): string => {
    switch (format) {
      case "uuid":
        return `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`;
      case "date":
        return date();
      case "time":
        return time();
      case "timestamp":
        return `${date()}T${time()}`;
      case "timestamptz":
        return `${date()}T${time()}+00:00`;
      case "digits":
        return String(below(1000) + 1);
      case "decimal":
        return `${below(1000)}.${two(below(100))}`;
      case "base64":
        return Buffer.from(word()).toString("base64");
    }
  };

  return made(type, 0);
}

const noValue = (type: string): EngineError => new EngineError("not-supported", "$", `cannot mock a value of ${type}`);

const words = ["amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heron", "indigo", "juniper"];

/** Returns a generator of 32-bit numbers, from hashes of the seed and a counter. */
function randomNumbers(seed: string): () => number {
  let block = Buffer.alloc(0);
  let at = 0;
  let counter = 0;
  return () => {
    if (at + 4 > block.length) {
      block = createHash("sha256").update(`${counter++}:${seed}`).digest();
      at = 0;
    }
    const number = block.readUInt32BE(at);
    at += 4;
    return number;
  };
}
