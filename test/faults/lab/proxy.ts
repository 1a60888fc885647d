/** A TCP proxy that does to connections what networks do: packets vanish, connections are cut, everything is slow. */
import { once } from "node:events";
import { createServer, type Server, Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

export interface Slowness {
  /** On the way in each direction. */
  readonly milliseconds?: number;
  readonly bytesPerSecond?: number;
}

/** A connection through the proxy: a client's socket, and the one to the target. */
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
      // Nobody hears of the end of a connection whose packets vanish.
      from.on("error", () => undefined);
      from.on("close", () => void last.then(() => this.#isLost || to.destroy()));
    }
  }

  connect(host: string, port: number): void {
    if (this.#isConnected) return;
    this.#isConnected = true;
    this.#ends[1].connect(port, host);
  }

  /** Packets vanish both ways, from now on or for good. */
  freeze(): void {
    this.#isLost = true;
    for (const end of this.#ends) end.pause();
  }

  /** Whether it goes on: packets were kept, as TCP sends them again. */
  thaw(): void {
    this.#isLost = false;
    for (const end of this.#ends) end.resume();
  }

  /** Both ends are told that the connection is gone. */
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

  /** The same URL, through the proxy. */
  before(url: string): string {
    const through = new URL(url);
    through.port = String(this.port);
    return through.href;
  }

  /** Packets vanish on every connection; new ones are not answered. */
  freeze(): void {
    this.#isFrozen = true;
    for (const link of this.#links) link.freeze();
  }

  /** Packets arrive again: of new connections, and of the old ones unless something on the way forgot them. */
  thaw(old: "go on" | "are lost"): void {
    this.#isFrozen = false;
    if (old === "go on") for (const link of this.#links) link.thaw();
    for (const link of this.#waiting) {
      link.thaw();
      link.connect(this.#target.host, this.#target.port);
    }
    this.#waiting.clear();
  }

  /** Both ends of every connection get a reset. */
  cut(): void {
    for (const link of this.#links) link.reset();
    this.#links.clear();
    this.#waiting.clear();
  }

  /** Every connection is cut, and new ones are, until `accept` is called. */
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
