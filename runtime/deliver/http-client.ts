/**
 * Calls of other services, within bounds: time, connections, calls at once, bytes of the answer. The one place that
 * sends requests out.
 */
import { Readable } from "node:stream";
import { usualOutboundRules } from "../values/outbound-rules.ts";
import { type CallTarget, callTargets } from "./call-targets.ts";
import type { Connections } from "./connections.ts";
import type { HttpCall, HttpClientLimits, HttpReply } from "./http-call.ts";
import { redirected } from "./redirect.ts";
import type { TlsAllow } from "./tls-allowlist.ts";

const noHosts = (): readonly TlsAllow[] => [];

export class HttpClient {
  readonly #limits: HttpClientLimits;
  readonly #uncheckedHosts: () => readonly TlsAllow[];
  readonly #targetOf: (url: string) => CallTarget;
  #opening: Promise<Connections> | undefined;
  #opened: Connections | undefined;
  #calls = 0;

  /** @param uncheckedHosts the hosts whose certificates are not checked, as of now */
  constructor(limits: HttpClientLimits, uncheckedHosts: () => readonly TlsAllow[] = noHosts) {
    this.#limits = limits;
    this.#uncheckedHosts = uncheckedHosts;
    this.#targetOf = callTargets(limits.outbound ?? usualOutboundRules);
  }

  /** @throws Error when there is no whole reply within the limits */
  async call(call: HttpCall): Promise<HttpReply> {
    if (this.#calls >= this.#limits.callsAtOnce) throw new Error("too many calls are waiting for a reply");
    this.#calls++;
    try {
      const end = performance.now() + (call.milliseconds ?? this.#limits.milliseconds);
      let hop = call;
      for (let redirects = 0; ; redirects++) {
        const reply = await this.#send(hop, end);
        const next = redirects < this.#limits.redirects ? redirected(hop, reply) : null;
        if (next === null) return reply;
        hop = next;
      }
    } finally {
      this.#calls--;
    }
  }

  #send(call: HttpCall, end: number): Promise<HttpReply> {
    const target = this.#targetOf(call.url);
    const connections = this.#opened;
    if (connections) return sendThrough(connections, call, target, end);
    return this.#open().then((opened) => sendThrough(opened, call, target, end));
  }

  /** The library takes longer to load than all the rest of a server that calls nobody. */
  async #open(): Promise<Connections> {
    this.#opening ??= import("./connections.ts").then(({ openConnections }) =>
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

function sendThrough(
  connections: Connections,
  { method, headers, body, bytes, keptBytes, caller }: HttpCall,
  { origin, path }: CallTarget,
  end: number,
): Promise<HttpReply> {
  const sent = bytes ? Readable.from(bytes, { objectMode: false }) : (body ?? null);
  return connections.send({
    request: { origin, path, method, headers: sendable(headers), body: sent },
    milliseconds: end - performance.now(),
    keptBytes,
    caller,
  });
}

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
