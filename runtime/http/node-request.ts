/** A request of `node:http` as a plain request, and the reading of its body. */
import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { EngineError } from "../support/errors.ts";
import type { PlainRequest, RequestHeaders } from "./services.ts";

/** What few requests ask for, the query string and the client's address, is worked out when it is asked for. */
export class NodeRequest implements PlainRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: RequestHeaders;
  readonly body: string;
  readonly requestId: string;
  readonly #raw: IncomingMessage;
  readonly #queryString: string;

  constructor(raw: IncomingMessage, body: string) {
    const url = raw.url ?? "/";
    const mark = url.indexOf("?");
    this.#raw = raw;
    this.#queryString = mark < 0 ? "" : url.slice(mark + 1);
    this.method = raw.method ?? "GET";
    this.path = mark < 0 ? url : url.slice(0, mark);
    this.headers = plainHeaders(raw);
    this.body = body;
    this.requestId = this.headers["x-request-id"] || randomUUID();
  }

  get query(): Readonly<Record<string, string | readonly string[]>> {
    const values = new Map<string, string | readonly string[]>();
    for (const [name, value] of new URLSearchParams(this.#queryString)) {
      const before = values.get(name);
      values.set(name, before === undefined ? value : [before, value].flat());
    }
    return Object.fromEntries(values);
  }

  get ip(): string {
    const forwarded = this.headers["x-forwarded-for"]?.split(",", 1)[0]?.trim();
    const address = forwarded || this.headers["x-real-ip"];
    return address ? withoutMapping(address) : this.peer;
  }

  get peer(): string {
    return withoutMapping(this.#raw.socket.remoteAddress ?? "");
  }
}

/** IPv4 addresses on a socket that listens for both kinds. */
function withoutMapping(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/, "");
}

/** Node joins repeated headers to one text, but for the one that clients have no business to send. */
function plainHeaders({ headers }: IncomingMessage): RequestHeaders {
  if (headers["set-cookie"] !== undefined) delete headers["set-cookie"];
  return headers as RequestHeaders;
}

/**
 * The body as text; an error when it is too long, `null` when the client went away before it was complete.
 * @param longest in bytes
 */
export function readBody(raw: IncomingMessage, longest: number): Promise<string | EngineError | null> {
  const { headers } = raw;
  if (headers["content-length"] === undefined && headers["transfer-encoding"] === undefined) return noBody;
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    raw.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length <= longest) {
        chunks.push(chunk);
        return;
      }
      chunks.length = 0;
      raw.pause();
      resolve(new EngineError("bad-request", "$", `the body is longer than ${longest} bytes`, { status: 413 }));
    });
    raw.on("end", () => {
      const [only] = chunks;
      // Decoded at once: a letter may be split between two chunks.
      resolve((chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, length)).toString("utf8"));
    });
    raw.on("error", () => resolve(null));
  });
}

const noBody = Promise.resolve("");
