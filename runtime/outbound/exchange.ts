/**
 * One request of the library and its reply. What the library offers above its dispatchers hands out bodies as streams;
 * replies here are read whole, and a stream for each of them would cost more than the rest of the call.
 */
import { isAscii } from "node:buffer";
import type { Dispatcher } from "undici";
import type { Caller } from "../values/caller.ts";
import { type DeadlineWatcher, unwatchDeadline, watchDeadline } from "../values/deadlines.ts";
import { type CallerWatcher, unwatchCaller, watchCaller } from "./caller-watch.ts";
import type { HttpReply } from "./http-call.ts";

export interface Exchange {
  readonly request: Dispatcher.DispatchOptions;
  /** For the whole reply, the wait for a connection included. */
  readonly milliseconds: number;
  /** Absent: all of them. */
  readonly keptBytes: number | undefined;
  /** The request ends when this has gone; absent: it does not. */
  readonly caller?: Caller | undefined;
  /** Takes the reply while the library reads it: must not throw, nor send another request before it returns. */
  readonly onReply: (reply: HttpReply) => void;
  /**
   * Takes what the library says in place of a reply; a `TimeoutError` when there is none in time, an `AbortError` when the
   * caller has gone.
   */
  readonly onFailure: (error: Error) => void;
}

/** Exactly one of `onReply` and `onFailure` is called, once. */
export function exchange(dispatcher: Dispatcher, asked: Exchange): void {
  const { request, milliseconds, caller } = asked;
  const reader = new ReplyReader(asked);
  reader.deadline = watchDeadline(milliseconds, reader);
  if (caller) reader.watch = watchCaller(caller, reader);
  dispatcher.dispatch(request, reader);
}

class ReplyReader implements Dispatcher.DispatchHandler, CallerWatcher, DeadlineWatcher {
  deadline: number | undefined;
  /** Of the caller. */
  watch: number | undefined;
  readonly #asked: Exchange;
  #hasEnded = false;
  #failure: Error | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: HttpReply["headers"] = {};
  /** Most replies come as one. */
  #chunk: Buffer | undefined;
  #chunks: Buffer[] | undefined;
  #length = 0;

  constructor(asked: Exchange) {
    this.#asked = asked;
  }

  /** The caller learns of it at once, even where the request still waits for a connection. */
  fail(error: Error): void {
    this.#failure = error;
    this.onResponseError(undefined, error);
    this.#controller?.abort(error);
  }

  timeIsOver(): void {
    this.fail(new DOMException("The operation was aborted due to timeout", "TimeoutError"));
  }

  callerIsGone(): void {
    this.fail(new DOMException("Nobody waits for the reply any more", "AbortError"));
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
    if (this.#chunk === undefined) this.#chunk = chunk;
    else if (this.#chunks) this.#chunks.push(chunk);
    else this.#chunks = [this.#chunk, chunk];
    this.#length += chunk.length;
    const { keptBytes } = this.#asked;
    if (keptBytes === undefined || this.#length <= keptBytes) return;
    this.#reply(beginningOf(this.#whole(), keptBytes), true);
    // The rest of the body would have to be read before another reply.
    controller.abort(new Error("the rest of the reply is not read"));
  }

  onResponseEnd(): void {
    this.#reply(textOf(this.#whole()), false);
  }

  onResponseError(_: unknown, error: Error): void {
    if (this.#end()) this.#asked.onFailure(error);
  }

  /** @returns whether it ends only now */
  #end(): boolean {
    if (this.#hasEnded) return false;
    this.#hasEnded = true;
    if (this.deadline !== undefined) unwatchDeadline(this.deadline);
    if (this.watch !== undefined) unwatchCaller(this.watch);
    return true;
  }

  #reply(text: string, isCut: boolean): void {
    if (!this.#end()) return;
    const reply = { status: this.#status, headers: this.#headers, text };
    this.#asked.onReply(isCut ? { ...reply, isCut } : reply);
  }

  #whole(): Buffer {
    if (this.#chunks) return Buffer.concat(this.#chunks, this.#length);
    return this.#chunk ?? nothing;
  }
}

const nothing = Buffer.alloc(0);

/** UTF-8 without its byte order mark. */
function textOf(bytes: Buffer): string {
  if (isAscii(bytes)) return bytes.toString("latin1");
  const text = bytes.toString("utf8");
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}

/** A character that is not whole is left out. */
function beginningOf(bytes: Buffer, length: number): string {
  return new TextDecoder().decode(bytes.subarray(0, length), { stream: true });
}
