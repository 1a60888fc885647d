/** A WebSocket client that tests read message by message. */
import { WebSocket } from "ws";

export interface Closed {
  readonly code: number;
  readonly reason: string;
}

export interface ClientSettings {
  /** Default `/v1/graphql`. */
  readonly path?: string;
  /** The sub-protocol to request; none by default. */
  readonly protocol?: string;
  readonly headers?: Record<string, string>;
  readonly compression?: boolean;
  /** `false`: pings are not answered, as by a vanished client. */
  readonly autoPong?: boolean;
}

export class WebsocketClient {
  readonly ws: WebSocket;
  /** Resolves when the connection has ended. */
  readonly closed: Promise<Closed>;
  readonly #waiting: string[] = [];
  readonly #readers: ((text: string | null) => void)[] = [];
  #isClosed = false;

  private constructor(ws: WebSocket) {
    this.ws = ws;
    ws.on("message", (data) => {
      const text = String(data);
      const reader = this.#readers.shift();
      if (reader) reader(text);
      else this.#waiting.push(text);
    });
    this.closed = new Promise((resolve) => {
      ws.on("close", (code, reason) => {
        this.#isClosed = true;
        for (const reader of this.#readers.splice(0)) reader(null);
        resolve({ code, reason: String(reason) });
      });
    });
  }

  /**
   * @param url of the server, `http://…`
   * @throws Error with the response's status and body if the server refuses
   */
  static open(url: string, settings: ClientSettings = {}): Promise<WebsocketClient> {
    const { path = "/v1/graphql", protocol, headers = {}, compression = false, autoPong = true } = settings;
    const address = `${url.replace(/^http/, "ws")}${path}`;
    const ws = new WebSocket(address, protocol === undefined ? [] : [protocol], {
      headers,
      perMessageDeflate: compression,
      autoPong,
    });
    const client = new WebsocketClient(ws);
    return new Promise((resolve, reject) => {
      ws.on("open", () => resolve(client));
      ws.on("error", reject);
      ws.on("unexpected-response", (_request, response) => {
        let body = "";
        response.setEncoding("utf8").on("data", (chunk: string) => {
          body += chunk;
        });
        response.on("end", () => reject(new Error(`${response.statusCode} ${body}`)));
      });
    });
  }

  send(message: unknown): void {
    this.ws.send(typeof message === "string" ? message : JSON.stringify(message));
  }

  /** Returns the text of the next message; fails the test if the connection ends first. */
  async text(): Promise<string> {
    const text =
      this.#waiting.shift() ??
      (this.#isClosed ? null : await new Promise<string | null>((resolve) => this.#readers.push(resolve)));
    if (text === null) throw new Error("the connection has ended");
    return text;
  }

  /** Returns the next message. */
  async next(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  /** Waits for a number of messages. */
  async take(count: number): Promise<unknown[]> {
    const messages: unknown[] = [];
    while (messages.length < count) messages.push(await this.next());
    return messages;
  }

  /** Returns the remaining messages after the connection has ended. */
  async rest(): Promise<unknown[]> {
    await this.closed;
    return this.#waiting.splice(0).map((text): unknown => JSON.parse(text));
  }

  close(): void {
    this.ws.close();
  }
}
