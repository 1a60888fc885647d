/**
 * Calls other services with limits on time, connections, concurrency and response size. All outgoing requests pass
 * through this client.
 */
import { Readable } from "node:stream";
import { defaultOutboundRules } from "../values/outbound-rules.ts";
import { shortage } from "../values/shortage.ts";
import type { Span } from "../values/span.ts";
import { type CallTarget, callTargets, type OriginLoad } from "./call-targets.ts";
import type { Connections } from "./connections.ts";
import type { HttpCall, HttpClientLimits, HttpReply } from "./http-call.ts";
import type { TlsAllow } from "./tls-allowlist.ts";

/**
 * Loads the HTTP library. Servers call this at start: a module that fails to load for lack of file descriptors can
 * never be loaded again in the process.
 */
export function loadConnections(): Promise<typeof import("./connections.ts")> {
  loading ??= import("./connections.ts");
  return loading;
}

let loading: ReturnType<typeof loadConnections> | undefined;

const noHosts = (): readonly TlsAllow[] => [];

export class HttpClient {
  readonly #limits: HttpClientLimits;
  readonly #uncheckedHosts: () => readonly TlsAllow[];
  readonly #targetOf: (url: string) => CallTarget;
  #opening: Promise<Connections> | undefined;
  #opened: Connections | undefined;

  /**
   * Creates a client.
   * @param uncheckedHosts returns the hosts whose certificates are not verified
   */
  constructor(limits: HttpClientLimits, uncheckedHosts: () => readonly TlsAllow[] = noHosts) {
    this.#limits = limits;
    this.#uncheckedHosts = uncheckedHosts;
    this.#targetOf = callTargets(limits.outbound ?? defaultOutboundRules);
  }

  /**
   * Sends a call and returns the whole reply.
   * @throws Error if there is no complete reply within the limits
   */
  call(call: HttpCall): Promise<HttpReply> {
    return this.callThen(call, identity, identity);
  }

  /**
   * Equivalent to `call(call).then(read, explain)`, without the additional microtasks.
   * @param read must not start another call before it returns
   * @param explain returns the error to throw if there is no complete reply within the limits
   */
  callThen<T>(
    call: HttpCall,
    read: (reply: HttpReply) => T | Promise<T>,
    explain: (error: unknown) => unknown,
  ): Promise<T> {
    const span = call.span?.isRecording ? call.span : undefined;
    if (span) describeCall(span, call);
    let load: OriginLoad;
    try {
      load = this.#targetOf(call.url).load;
    } catch (error) {
      return Promise.reject(explain(error));
    }
    if (load.calls >= this.#limits.callsAtOnce) {
      return Promise.reject(explain(new Error("too many calls are waiting for a reply")));
    }
    load.calls++;
    return new Promise((resolve, reject) => {
      this.#send(call, {
        milliseconds: call.milliseconds ?? this.#limits.milliseconds,
        redirects: this.#limits.redirects,
        onReply: (reply) => {
          load.calls--;
          if (span) describeReply(span, reply);
          try {
            resolve(read(reply));
          } catch (error) {
            reject(error);
          }
        },
        onFailure: (error) => {
          load.calls--;
          shortage.isCauseOf(error);
          reject(explain(error));
        },
      });
    });
  }

  /** Sends one request. Calls exactly one of the callbacks of `hop`. */
  #send(call: HttpCall, hop: Hop): void {
    const connections = this.#opened;
    if (connections) this.#sendThrough(connections, call, hop);
    else this.#open().then((opened) => this.#sendThrough(opened, call, hop), hop.onFailure);
  }

  #sendThrough(connections: Connections, call: HttpCall, hop: Hop): void {
    const { method, headers, body, bytes, keptBytes, caller } = call;
    const { milliseconds, onFailure } = hop;
    try {
      const { origin, path } = this.#targetOf(call.url);
      const sent = bytes ? Readable.from(bytes, { objectMode: false }) : (body ?? null);
      connections.send({
        request: { origin, path, method, headers: flatHeaders(headers), body: sent },
        milliseconds,
        keptBytes,
        caller,
        onReply: hop.redirects > 0 ? this.#following(call, hop) : hop.onReply,
        onFailure,
      });
    } catch (error) {
      onFailure(error);
    }
  }

  /** Returns a callback that follows redirects. */
  #following(call: HttpCall, hop: Hop): Hop["onReply"] {
    const since = performance.now();
    return (reply) => {
      if (!isRedirect(reply)) return hop.onReply(reply);
      const left = {
        ...hop,
        redirects: hop.redirects - 1,
        milliseconds: hop.milliseconds - (performance.now() - since),
      };
      // The library is still processing the reply, so it must not receive another request yet.
      queueMicrotask(() => {
        try {
          const next = redirected(call, reply);
          if (next === null) hop.onReply(reply);
          else this.#send(next, left);
        } catch (error) {
          hop.onFailure(error);
        }
      });
    };
  }

  async #open(): Promise<Connections> {
    this.#opening ??= loadConnections().then(({ openConnections }) =>
      openConnections(this.#limits, this.#uncheckedHosts),
    );
    this.#opened = await this.#opening;
    return this.#opened;
  }

  /** Closes all connections and aborts calls in progress. */
  async close(): Promise<void> {
    await (await this.#opening)?.close();
  }
}

/** One request of a call, with its remaining limits. */
interface Hop {
  /** Remaining time in milliseconds. */
  readonly milliseconds: number;
  /** Number of redirects that may still be followed. */
  readonly redirects: number;
  readonly onReply: (reply: HttpReply) => void;
  readonly onFailure: (error: unknown) => void;
}

const identity = <T>(value: T): T => value;

/** Converts headers to alternating names and values. */
function flatHeaders(headers: HttpCall["headers"]): string[] {
  const sent: string[] = [];
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (typeof value === "string") sent.push(name, value);
    else for (const each of value ?? []) sent.push(name, each);
  }
  return sent;
}

/** Returns the message of a failed call without its stack, such as `connect ECONNREFUSED 127.0.0.1:3000`. */
export function callFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return "no reply in time";
  return error.message === "" && "code" in error ? String(error.code) : error.message;
}

// Sets the attributes of a call's span according to OpenTelemetry's conventions for HTTP clients. `url.full` is
// omitted, because webhook URLs are often secrets.

/**
 * Sets the attributes of the request.
 * @param span a recording span
 */
function describeCall(span: Span, { method, url }: Pick<HttpCall, "method" | "url">): void {
  const { hostname, port, protocol } = URL.canParse(url) ? new URL(url) : noAddress;
  span.set({
    "http.request.method": method,
    "server.address": hostname.replace(/^\[(.*)\]$/, "$1") || undefined,
    "server.port": hostname ? Number(port) || defaultPorts[protocol] : undefined,
  });
}

const noAddress = { hostname: "", port: "", protocol: "" };
const defaultPorts: Readonly<Record<string, number>> = { "http:": 80, "https:": 443 };

/** Sets the attributes of the reply. An error status fails the span even if the caller handles it. */
function describeReply(span: Span, { status }: Pick<HttpReply, "status">): void {
  span.set({ "http.response.status_code": status });
  if (status >= 400) span.fail(status);
}

// Follows redirects within one origin. Headers and body are meant only for the service named in the metadata.

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Redirects that preserve method and body. */
const methodPreserving: ReadonlySet<number> = new Set([307, 308]);

function isRedirect({ status }: HttpReply): boolean {
  return redirects.has(status);
}

/**
 * Returns the call for a redirect, or `null` if the reply is not one.
 * @throws Error for a redirect to another origin, including one from https to http
 */
function redirected(call: HttpCall, reply: HttpReply): HttpCall | null {
  const { status, headers } = reply;
  const { location } = headers;
  if (!isRedirect(reply) || typeof location !== "string" || !URL.canParse(location, call.url)) return null;
  const from = new URL(call.url);
  const to = new URL(location, from);
  if (to.origin !== from.origin) {
    throw new Error(`the service redirects to another origin, ${to.origin}, which is not followed: name it directly`);
  }
  if (methodPreserving.has(status) || call.method === "GET") return { ...call, url: to.href };
  // Like browsers, change POST to GET.
  const { body: _, bytes: __, ...rest } = call;
  return { ...rest, method: "GET", url: to.href };
}
