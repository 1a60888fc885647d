/** Tracks the connections of an HTTP server and their requests in progress, and closes them at shutdown. */
import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import type { WebsocketServer } from "./websocket/websocket-server.ts";

/** A request without a response yet, for the log. */
export interface RequestInProgress {
  readonly request_id: string | undefined;
  readonly method: string;
  readonly path: string;
  readonly seconds: number;
}

interface Arrived {
  readonly request: IncomingMessage;
  /** Time of arrival, on the clock of `performance.now`. */
  readonly since: number;
}

/**
 * The interval at which idle connections are closed during shutdown. They are not closed at once, because a request may
 * be arriving on any of them.
 */
const idleCheckMilliseconds = 1000;

export class OpenConnections {
  readonly #websockets: WebsocketServer;
  readonly #sockets = new Set<Socket>();
  /**
   * Requests in reused slots. A Map would keep finished requests in memory: it rehashes after every few insertions and
   * deletions, and V8 links each old table, with its entries, to the new one.
   */
  readonly #requests: (Arrived | null)[] = [];
  readonly #freeSlots: number[] = [];
  #isClosing = false;
  #onIdle: (() => void) | null = null;

  constructor(websockets: WebsocketServer) {
    this.#websockets = websockets;
  }

  /** Tracks the connections of a server, and passes upgraded ones to the WebSocket server. */
  track(server: Server): void {
    server.on("connection", (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once("close", () => {
        this.#sockets.delete(socket);
        this.#resolveIfIdle();
      });
    });
    server.on("upgrade", (request, socket: Socket, head) => {
      this.#sockets.delete(socket);
      this.#websockets.upgrade(request, socket, head);
    });
  }

  /** The number of HTTP connections, without WebSockets. */
  get count(): number {
    return this.#sockets.size;
  }

  /** If true, connections close after their current request. */
  get isClosing(): boolean {
    return this.#isClosing;
  }

  /**
   * Records a request.
   * @returns the slot to pass to `end`
   */
  begin(request: IncomingMessage): number {
    const slot = this.#freeSlots.pop() ?? this.#requests.length;
    this.#requests[slot] = { request, since: performance.now() };
    return slot;
  }

  /** Removes a request whose response has been written. */
  end(slot: number): void {
    this.#requests[slot] = null;
    this.#freeSlots.push(slot);
    this.#resolveIfIdle();
  }

  /** Resolves when no connection is open and no request is in progress. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#onIdle = resolve;
      this.#resolveIfIdle();
    });
  }

  #resolveIfIdle(): void {
    if (this.#onIdle === null) return;
    if (this.#sockets.size === 0 && this.#freeSlots.length === this.#requests.length) this.#onIdle();
  }

  inProgress(): readonly RequestInProgress[] {
    const now = performance.now();
    return this.#requests
      .filter((arrived) => arrived !== null)
      .map(({ request: { headers, method = "GET", url = "/" }, since }) => ({
        request_id: headers["x-request-id"]?.toString(),
        method,
        path: url.replace(/\?.*/s, ""),
        seconds: Math.round(now - since) / 1000,
      }));
  }

  /**
   * Lets requests and WebSocket operations in progress finish.
   * @param stopListening resolves when no connection is open
   */
  async close(stopListening: () => Promise<void>): Promise<void> {
    this.#isClosing = true;
    this.#websockets.close();
    const stopped = stopListening();
    // Node closes only connections that have served a request. It also stops checking for connections that never send
    // one.
    const timer = setInterval(() => this.#closeIdle(), idleCheckMilliseconds);
    await stopped.finally(() => clearInterval(timer));
  }

  /** Closes every connection immediately. */
  terminate(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#websockets.terminate();
  }

  #closeIdle(): void {
    const busy = new Set(this.#requests.map((arrived) => arrived?.request.socket));
    for (const socket of this.#sockets) {
      if (!busy.has(socket) && socket.writableLength === 0) socket.destroy();
    }
  }
}
