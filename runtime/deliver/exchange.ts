/**
 * One request of the library and its reply. What the library offers above its dispatchers hands out bodies as streams;
 * replies here are read whole, and a stream for each of them would cost more than the rest of the call.
 */
import { isAscii } from "node:buffer";
import type { Dispatcher } from "undici";
import type { Caller } from "../values/caller.ts";
import { watchCaller } from "./caller-watch.ts";
import type { HttpReply } from "./http-call.ts";

export interface Exchange {
  readonly request: Dispatcher.DispatchOptions;
  /** For the whole reply, the wait for a connection included. */
  readonly milliseconds: number;
  /** Absent: all of them. */
  readonly keptBytes: number | undefined;
  /** The request ends when this has gone; absent: it does not. */
  readonly caller?: Caller | undefined;
}

/** Longer ones would end at once (`setTimeout`). */
const longestTimeout = 2 ** 31 - 1;

/**
 * Rejects with a `TimeoutError` when the reply is not there in time, with an `AbortError` when the caller has gone, and with
 * what the library says otherwise.
 */
export function exchange(
  dispatcher: Dispatcher,
  { request, milliseconds, keptBytes, caller }: Exchange,
): Promise<HttpReply> {
  return new Promise((resolve, reject) => {
    const reader = new ReplyReader(keptBytes ?? Infinity, resolve, reject);
    reader.timer = setTimeout(endInTime, Math.min(milliseconds, longestTimeout), reader);
    if (caller) reader.forgetCaller = watchCaller(caller, () => reader.fail(gone()));
    dispatcher.dispatch(request, reader);
  });
}

const gone = () => new DOMException("Nobody waits for the reply any more", "AbortError");

function endInTime(reader: ReplyReader): void {
  reader.fail(new DOMException("The operation was aborted due to timeout", "TimeoutError"));
}

class ReplyReader implements Dispatcher.DispatchHandler {
  timer: NodeJS.Timeout | undefined;
  forgetCaller: (() => void) | undefined;
  readonly #keptBytes: number;
  readonly #resolve: (reply: HttpReply) => void;
  readonly #reject: (error: Error) => void;
  #failure: Error | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: HttpReply["headers"] = {};
  readonly #chunks: Buffer[] = [];
  #length = 0;

  constructor(keptBytes: number, resolve: (reply: HttpReply) => void, reject: (error: Error) => void) {
    this.#keptBytes = keptBytes;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  /** The caller learns of it at once, even where the request still waits for a connection. */
  fail(error: Error): void {
    this.#end();
    this.#failure = error;
    this.#reject(error);
    this.#controller?.abort(error);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#failure) controller.abort(this.#failure);
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: HttpReply["headers"]): void {
    // Those below announce the reply.
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    if (this.#length <= this.#keptBytes) return;
    this.#settle({ text: beginningOf(this.#whole(), this.#keptBytes), isCut: true });
    // The rest of the body would have to be read before another reply.
    controller.abort(new Error("the rest of the reply is not read"));
  }

  onResponseEnd(): void {
    this.#settle({ text: textOf(this.#whole()) });
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#end();
    this.#reject(error);
  }

  #end(): void {
    clearTimeout(this.timer);
    this.forgetCaller?.();
  }

  #settle(body: Pick<HttpReply, "text" | "isCut">): void {
    this.#end();
    this.#resolve({ status: this.#status, headers: this.#headers, ...body });
  }

  #whole(): Buffer {
    const [chunk] = this.#chunks;
    return chunk && this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks, this.#length);
  }
}

/** UTF-8 without its byte order mark. */
function textOf(bytes: Buffer): string {
  const text = bytes.toString(isAscii(bytes) ? "latin1" : "utf8");
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}

/** A character that is not whole is left out. */
function beginningOf(bytes: Buffer, length: number): string {
  return new TextDecoder().decode(bytes.subarray(0, length), { stream: true });
}
