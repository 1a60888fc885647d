/**
 * The Model Context Protocol over standard input and output: each line is a message. The bridge posts each message to
 * `/mcp`, of a server or of this process, and writes the messages of its response as lines.
 */

import { isObject } from "../../../values/is-object.ts";
import { messageOf } from "../../../values/message-of.ts";
import { within } from "../../../values/timer.ts";
import { eventData } from "./event-data.ts";
import { clientIn, headersFor, type Initialized } from "./message-headers.ts";

export interface PostedResponse {
  readonly status: number;
  /** Content type; empty if the response has none. */
  readonly type: string;
  readonly body: AsyncIterable<Uint8Array>;
}

/** Posts a message. Rejects if there is no response, or the signal is aborted. */
export type PostMessage = (
  body: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
) => Promise<PostedResponse>;

export interface BridgeSettings {
  /** Text of the input, in chunks of any size. */
  readonly input: AsyncIterable<string>;
  readonly write: (text: string) => void;
  readonly post: PostMessage;
}

/** The time for requests in progress to end after the end of the input. */
const graceMilliseconds = 5000;

/** Resolves after the end of the input, when no request is in progress. */
export async function bridge({ input, write, post }: BridgeSettings): Promise<void> {
  const connection = new Connection(write, post);
  for await (const line of linesOf(input)) if (line.trim() !== "") connection.receive(line);
  await connection.end();
}

async function* linesOf(input: AsyncIterable<string>): AsyncIterable<string> {
  let rest = "";
  for await (const chunk of input) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}

interface Pending {
  readonly abort: AbortController;
  readonly isSubscription: boolean;
  readonly done: Promise<void>;
}

interface Message {
  readonly text: string;
  /** JSON text of the id; `undefined` for notifications and malformed messages. */
  readonly idText: string | undefined;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
}

class Connection {
  readonly #write: (text: string) => void;
  readonly #post: PostMessage;
  readonly #pending = new Map<string, Pending>();
  readonly #notified = new Set<Promise<void>>();
  readonly #initialized: Initialized = { revision: undefined, client: undefined };

  constructor(write: (text: string) => void, post: PostMessage) {
    this.#write = write;
    this.#post = post;
  }

  receive(text: string): void {
    const body = parsed(text);
    if (isObject(body) && body.method === "notifications/cancelled") {
      const { requestId } = isObject(body.params) ? body.params : {};
      this.#pending.get(JSON.stringify(requestId))?.abort.abort();
      return;
    }
    const { id, method } = isObject(body) ? body : {};
    const idText = typeof id === "string" || typeof id === "number" ? JSON.stringify(id) : undefined;
    if (method === "initialize") this.#initialized.client = clientIn(body);
    const headers = headersFor(body, this.#initialized);
    const message = { text, idText, method: typeof method === "string" ? method : "", headers };
    const abort = new AbortController();
    const done = this.#send(message, abort.signal);
    if (idText === undefined) {
      this.#notified.add(done);
      void done.then(() => this.#notified.delete(done));
      return;
    }
    const pending = { abort, isSubscription: message.method === "subscriptions/listen", done };
    this.#pending.set(idText, pending);
    void done.then(() => {
      if (this.#pending.get(idText) === pending) this.#pending.delete(idText);
    });
  }

  /** Ends subscriptions at once, and other requests after a grace period. */
  async end(): Promise<void> {
    const all = [...this.#pending.values()];
    for (const { isSubscription, abort } of all) if (isSubscription) abort.abort();
    const done = Promise.all([...all.map((pending) => pending.done), ...this.#notified]);
    await within(done, graceMilliseconds, undefined);
    for (const { abort } of this.#pending.values()) abort.abort();
  }

  /** Never rejects. */
  async #send(message: Message, signal: AbortSignal): Promise<void> {
    try {
      const response = await this.#post(message.text, message.headers, signal);
      if (/^text\/event-stream\b/i.test(response.type)) await this.#copyEvents(message, response, signal);
      else this.#copyBody(message, response, await textOf(response.body));
    } catch (error) {
      if (signal.aborted) return;
      this.#fail(message, messageOf(error));
    }
  }

  async #copyEvents(message: Message, { body }: PostedResponse, signal: AbortSignal): Promise<void> {
    let hasResponse = false;
    for await (const data of eventData(body)) {
      if (signal.aborted) return;
      const event = parsed(data);
      hasResponse ||= isObject(event) && event.id !== undefined;
      this.#writeLine(data);
    }
    if (hasResponse || signal.aborted || message.idText === undefined) return;
    if (message.method === "subscriptions/listen") {
      const params = `{"requestId":${message.idText}}`;
      this.#writeLine(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":${params}}`);
    } else {
      this.#fail(message, "the response ended before its result");
    }
  }

  #copyBody(message: Message, { status }: PostedResponse, text: string): void {
    if (message.method === "initialize") this.#initialized.revision = revisionIn(text);
    if (status < 300) {
      if (message.idText !== undefined || text !== "") this.#writeLine(text);
      return;
    }
    const body = parsed(text);
    if (isObject(body) && body.jsonrpc === "2.0" && isObject(body.error)) {
      // Errors that occur before the body is read have no id.
      const id = body.id === undefined && message.idText !== undefined ? { id: JSON.parse(message.idText) } : {};
      this.#writeLine(JSON.stringify({ ...body, ...id }));
      return;
    }
    const reason = isObject(body) && typeof body.error === "string" ? `: ${body.error}` : "";
    this.#fail(message, `the server responded with status ${status}${reason}`);
  }

  /** Notifications have no response, and malformed messages no id. */
  #fail({ idText, method }: Message, message: string): void {
    if (idText === undefined && method !== "") return;
    const id = idText === undefined ? "" : `"id":${idText},`;
    this.#writeLine(`{"jsonrpc":"2.0",${id}"error":${JSON.stringify({ code: internalError, message })}}`);
  }

  /** JSON contains line breaks only between tokens. */
  #writeLine(json: string): void {
    this.#write(`${json.replace(/[\r\n]+/g, " ")}\n`);
  }
}

/** Code of JSON-RPC for failures of the server. */
const internalError = -32603;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function revisionIn(text: string): string | undefined {
  const body = parsed(text);
  const { protocolVersion } = isObject(body) && isObject(body.result) ? body.result : {};
  return typeof protocolVersion === "string" ? protocolVersion : undefined;
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
