import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { RequestHeaders } from "../ports/headers.ts";
import type { PlainRequest, UploadBody } from "../ports/request.ts";
import { noTracer, type Tracer } from "../ports/telemetry.ts";
import type { Caller } from "../values/caller.ts";
import type { Session } from "../values/session.ts";
import { noSpan, type Span } from "../values/span.ts";
import type { BodyLimits } from "./body-limits.ts";
import type { RequestBody } from "./request-body.ts";
import { pathOf } from "./route-finder.ts";

/**
 * Adapts a request of `node:http`, and chooses its request id. Computes query parameters and the client's address on first
 * use, which is rare.
 */
export class NodeRequest implements PlainRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: RequestHeaders;
  readonly requestId: string;
  readonly span: Span;
  readonly #raw: IncomingMessage;
  readonly #queryString: string;
  readonly #body: RequestBody;
  readonly #limits: BodyLimits;

  constructor(raw: IncomingMessage, body: RequestBody, limits: BodyLimits, tracer: Tracer = noTracer) {
    const url = raw.url ?? "/";
    const mark = url.indexOf("?");
    this.#raw = raw;
    this.#queryString = mark < 0 ? "" : url.slice(mark + 1);
    this.method = raw.method ?? "GET";
    this.path = pathOf(url);
    this.headers = plainHeaders(raw);
    this.#body = body;
    this.#limits = limits;
    this.requestId = this.headers["x-request-id"] || randomUUID();
    this.span = tracer.isOn ? tracer.begin(this.path, "server", this.headers) : noSpan;
  }

  readBody(session: Session | null): string | Promise<string> {
    return this.#body.read(this.#limits(session));
  }

  async readUpload(session: Session): Promise<UploadBody> {
    const { bytes: textBytes } = this.#limits(session);
    return { bytes: await this.#body.readBytes(this.#limits(session, "upload")), textBytes };
  }

  get query(): Readonly<Record<string, string | readonly string[]>> {
    const values = new Map<string, string | string[]>();
    for (const [name, value] of new URLSearchParams(this.#queryString)) {
      const before = values.get(name);
      if (Array.isArray(before)) before.push(value);
      else values.set(name, before === undefined ? value : [before, value]);
    }
    return Object.fromEntries(values);
  }

  get caller(): Caller {
    return callerOf(this.#raw.socket);
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

/** Strips the IPv6 prefix that a dual-stack socket adds to IPv4 addresses. */
function withoutMapping(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/, "");
}

/** Drops `Set-Cookie`, the only header that Node presents as a list; it has no meaning in requests. */
function plainHeaders({ headers }: IncomingMessage): RequestHeaders {
  if (headers["set-cookie"] !== undefined) delete headers["set-cookie"];
  return headers as RequestHeaders;
}

const callers = new WeakMap<Socket, Caller>();

/**
 * Returns one caller for all requests of a connection: a statement that waits in a source must not keep a request in
 * memory after its response.
 */
function callerOf(socket: Socket): Caller {
  let caller = callers.get(socket);
  if (caller === undefined) {
    caller = {
      get aborted() {
        return socket.destroyed;
      },
    };
    callers.set(socket, caller);
  }
  return caller;
}
