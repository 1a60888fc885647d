/** A TCP proxy that simulates network faults: packets vanish, connections are cut, traffic is slow. */
import { once } from "node:events";
import { createServer, type Server, Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

export interface Slowness {
  /** Delay in each direction. */
  readonly milliseconds?: number;
  readonly bytesPerSecond?: number;
}

/** A connection through the proxy: the client's socket and the socket to the target. */
class Link {
  readonly #ends: readonly [Socket, Socket];
  readonly #slowness: () => Slowness;
  #isConnected = false;
  #isLost = false;

  constructor(client: Socket, slowness: () => Slowness) {
    this.#ends = [client, new Socket({ allowHalfOpen: false })];
    this.#slowness = slowness;
    const [, target] = this.#ends;
    for (const [from, to] of [this.#ends, [target, client] as const]) {
      from.setNoDelay();
      let last: Promise<unknown> = Promise.resolve();
      from.on("data", (chunk: Buffer) => {
        last = last.then(() => this.#pass(from, to, chunk));
      });
      // If packets are dropped, the end of a connection is not propagated.
      from.on("error", () => undefined);
      from.on("close", () => void last.then(() => this.#isLost || to.destroy()));
    }
  }

  connect(host: string, port: number): void {
    if (this.#isConnected) return;
    this.#isConnected = true;
    this.#ends[1].connect(port, host);
  }

  /** Drops packets in both directions until `thaw` is called. */
  freeze(): void {
    this.#isLost = true;
    for (const end of this.#ends) end.pause();
  }

  /** Delivers packets again, including those dropped before, as TCP retransmits them. */
  thaw(): void {
    this.#isLost = false;
    for (const end of this.#ends) end.resume();
  }

  /** Resets the connection at both ends. */
  reset(): void {
    this.#isLost = false;
    for (const end of this.#ends) end.resetAndDestroy();
  }

  async #pass(from: Socket, to: Socket, chunk: Buffer): Promise<void> {
    const { milliseconds = 0, bytesPerSecond = Number.POSITIVE_INFINITY } = this.#slowness();
    const wait = milliseconds + (chunk.length / bytesPerSecond) * 1000;
    if (wait >= 1) {
      from.pause();
      await delay(wait);
      if (!this.#isLost) from.resume();
    }
    if (to.destroyed || to.write(chunk)) return;
    from.pause();
    to.once("drain", () => this.#isLost || from.resume());
  }
}

export class TcpProxy {
  readonly #server: Server;
  readonly #target: { readonly host: string; readonly port: number };
  readonly #links = new Set<Link>();
  readonly #waiting = new Set<Link>();
  #isFrozen = false;
  #refuses = false;
  #slowness: Slowness = {};

  private constructor(target: { readonly host: string; readonly port: number }) {
    this.#target = target;
    this.#server = createServer((client) => this.#accept(client));
  }

  static async open(port: number): Promise<TcpProxy> {
    const proxy = new TcpProxy({ host: "127.0.0.1", port });
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    return proxy;
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  }

  /** Returns the URL with the proxy's port. */
  before(url: string): string {
    const through = new URL(url);
    through.port = String(this.port);
    return through.href;
  }

  /** Drops packets of all connections. New connections wait until `thaw` is called. */
  freeze(): void {
    this.#isFrozen = true;
    for (const link of this.#links) link.freeze();
  }

  /** Delivers packets of new connections again, and of old ones unless they are lost. */
  thaw(old: "go on" | "are lost"): void {
    this.#isFrozen = false;
    if (old === "go on") for (const link of this.#links) link.thaw();
    for (const link of this.#waiting) {
      link.thaw();
      link.connect(this.#target.host, this.#target.port);
    }
    this.#waiting.clear();
  }

  /** Resets all connections at both ends. */
  cut(): void {
    for (const link of this.#links) link.reset();
    this.#links.clear();
    this.#waiting.clear();
  }

  /** Resets all connections, and new ones until `accept` is called. */
  refuse(): void {
    this.#refuses = true;
    this.cut();
  }

  accept(): void {
    this.#refuses = false;
  }

  slow(slowness: Slowness): void {
    this.#slowness = slowness;
  }

  async close(): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, "close");
  }

  #accept(client: Socket): void {
    client.on("error", () => undefined);
    if (this.#refuses) {
      client.resetAndDestroy();
      return;
    }
    const link = new Link(client, () => this.#slowness);
    this.#links.add(link);
    client.once("close", () => this.#links.delete(link));
    if (this.#isFrozen) {
      link.freeze();
      this.#waiting.add(link);
    } else {
      link.connect(this.#target.host, this.#target.port);
    }
  }
}
