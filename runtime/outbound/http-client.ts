/**
 * Calls of other services, within bounds: time, connections, calls at once, bytes of the answer. The one place that
 * sends requests out.
 */
import { Readable } from "node:stream";
import { usualOutboundRules } from "../values/outbound-rules.ts";
import { shortage } from "../values/shortage.ts";
import { describeCall, describeReply } from "./call-span.ts";
import { type CallTarget, callTargets, type OriginLoad } from "./call-targets.ts";
import type { Connections } from "./connections.ts";
import type { HttpCall, HttpClientLimits, HttpReply } from "./http-call.ts";
import { isRedirect, redirected } from "./redirect.ts";
import type { TlsAllow } from "./tls-allowlist.ts";

/**
 * Loads the library that calls go through. A server does so as it starts: what fails to load later, where no descriptor
 * is left, cannot be loaded until the process ends.
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

  /** @param uncheckedHosts the hosts whose certificates are not checked, as of now */
  constructor(limits: HttpClientLimits, uncheckedHosts: () => readonly TlsAllow[] = noHosts) {
    this.#limits = limits;
    this.#uncheckedHosts = uncheckedHosts;
    this.#targetOf = callTargets(limits.outbound ?? usualOutboundRules);
  }

  /** @throws Error when there is no whole reply within the limits */
  call(call: HttpCall): Promise<HttpReply> {
    return this.callThen(call, asItIs, asItIs);
  }

  /**
   * `call(call).then(read, explain)`, without the turns that promises in between take.
   * @param read must not begin another call before it returns
   * @param explain what it returns is thrown when there is no whole reply within the limits
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

  /** Exactly one of the hop's functions is called. */
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
        request: { origin, path, method, headers: sendable(headers), body: sent },
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

  /** Takes a reply, or goes where it leads. */
  #following(call: HttpCall, hop: Hop): Hop["onReply"] {
    const since = performance.now();
    return (reply) => {
      if (!isRedirect(reply)) return hop.onReply(reply);
      const left = {
        ...hop,
        redirects: hop.redirects - 1,
        milliseconds: hop.milliseconds - (performance.now() - since),
      };
      // The library is not done with the reply.
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

  /** Ends calls in progress too. */
  async close(): Promise<void> {
    await (await this.#opening)?.close();
  }
}

/** One request and what becomes of it. */
interface Hop {
  /** That are left. */
  readonly milliseconds: number;
  /** That may still be followed. */
  readonly redirects: number;
  readonly onReply: (reply: HttpReply) => void;
  readonly onFailure: (error: unknown) => void;
}

const asItIs = <T>(given: T): T => given;

/** Names and values in turns. */
function sendable(headers: HttpCall["headers"]): string[] {
  const sent: string[] = [];
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (typeof value === "string") sent.push(name, value);
    else for (const each of value ?? []) sent.push(name, each);
  }
  return sent;
}

/** Without details that only a debugger wants: `connect ECONNREFUSED 127.0.0.1:3000`. */
export function callFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return "no reply in time";
  return error.message === "" && "code" in error ? String(error.code) : error.message;
}
