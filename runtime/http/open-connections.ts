/** The connections of an HTTP server and the requests in progress on them, and how they end at shutdown. */
import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import type { WebsocketServer } from "./websocket/websocket-server.ts";

/** A request without an answer yet, for the log. */
export interface RequestInProgress {
  readonly request_id: string | undefined;
  readonly method: string;
  readonly path: string;
  readonly seconds: number;
}

interface Arrived {
  readonly request: IncomingMessage;
  /** By the clock of `performance.now`. */
  readonly since: number;
}

/** In milliseconds: how often connections without a request are closed; one may be arriving. */
const lookMilliseconds = 1000;

export class OpenConnections {
  readonly #websockets: WebsocketServer;
  readonly #sockets = new Set<Socket>();
  /**
   * Requests in places that are used again. A Map would keep requests alive for long: one whose entries come and go
   * makes itself anew every few of them, and V8 links the old tables, with all that was in them, to the new ones.
   */
  readonly #requests: (Arrived | null)[] = [];
  readonly #freePlaces: number[] = [];
  #isClosing = false;
  #onIdle: (() => void) | null = null;

  constructor(websockets: WebsocketServer) {
    this.#websockets = websockets;
  }

  /** Looks after the connections of a server, also those that leave HTTP. */
  track(server: Server): void {
    server.on("connection", (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once("close", () => {
        this.#sockets.delete(socket);
        this.#lookIdle();
      });
    });
    server.on("upgrade", (request, socket: Socket, head) => {
      this.#sockets.delete(socket);
      this.#websockets.upgrade(request, socket, head);
    });
  }

  /** Those of HTTP; WebSockets have left them. */
  get count(): number {
    return this.#sockets.size;
  }

  /** When true, connections are not kept for further requests. */
  get isClosing(): boolean {
    return this.#isClosing;
  }

  /** @returns what `end` is to be called with */
  begin(request: IncomingMessage): number {
    const place = this.#freePlaces.pop() ?? this.#requests.length;
    this.#requests[place] = { request, since: performance.now() };
    return place;
  }

  /** The answer has been given to the connection. */
  end(place: number): void {
    this.#requests[place] = null;
    this.#freePlaces.push(place);
    this.#lookIdle();
  }

  /** Resolves when no request is in progress, and none can come. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#onIdle = resolve;
      this.#lookIdle();
    });
  }

  #lookIdle(): void {
    if (this.#onIdle === null) return;
    if (this.#sockets.size === 0 && this.#freePlaces.length === this.#requests.length) this.#onIdle();
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
   * @param stopListening resolves when no connection is left
   */
  async close(stopListening: () => Promise<void>): Promise<void> {
    this.#isClosing = true;
    this.#websockets.close();
    const stopped = stopListening();
    // Node closes only connections that had a request before, and no longer looks for those that never send one.
    const timer = setInterval(() => this.#closeIdle(), lookMilliseconds);
    await stopped.finally(() => clearInterval(timer));
  }

  /** Ends every connection at once. */
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
