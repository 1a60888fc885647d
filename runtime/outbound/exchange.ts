/**
 * Runs one request on a dispatcher of undici. The library's higher-level functions return bodies as streams; replies
 * here are read whole, and a stream would cost more than the rest of the call.
 */
import { isAscii } from "node:buffer";
import type { Dispatcher } from "undici";
import type { Caller } from "../values/caller.ts";
import { type DeadlineWatcher, unwatchDeadline, watchDeadline } from "../values/deadlines.ts";
import type { HttpReply } from "./http-call.ts";

export interface Exchange {
  readonly request: Dispatcher.DispatchOptions;
  /** Timeout in milliseconds for the whole reply, including the wait for a connection. */
  readonly milliseconds: number;
  /** Number of body bytes to read; `undefined` for all. */
  readonly keptBytes: number | undefined;
  /** Caller whose disconnection aborts the request; absent if it is never aborted. */
  readonly caller?: Caller | undefined;
  /**
   * Receives the reply inside a callback of the library. Must not throw, and must not send another request before it
   * returns.
   */
  readonly onReply: (reply: HttpReply) => void;
  /**
   * Receives the error of the library; a `TimeoutError` after the timeout, an `AbortError` after the caller has
   * disconnected.
   */
  readonly onFailure: (error: Error) => void;
}

/** Sends a request. Calls exactly one of `onReply` and `onFailure`, once. */
export function exchange(dispatcher: Dispatcher, details: Exchange): void {
  const { request, milliseconds, caller } = details;
  const reader = new ReplyReader(details);
  reader.deadline = watchDeadline(milliseconds, reader);
  if (caller) reader.watch = watchCaller(caller, reader);
  dispatcher.dispatch(request, reader);
}

class ReplyReader implements Dispatcher.DispatchHandler, CallerWatcher, DeadlineWatcher {
  deadline: number | undefined;
  /** Slot of the caller watch. */
  watch: number | undefined;
  readonly #exchange: Exchange;
  #hasEnded = false;
  #failure: Error | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: HttpReply["headers"] = {};
  /** Most replies consist of one chunk. */
  #chunk: Buffer | undefined;
  #chunks: Buffer[] | undefined;
  #length = 0;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  /** Fails the call immediately, even if the request is still waiting for a connection. */
  fail(error: Error): void {
    this.#failure = error;
    this.onResponseError(undefined, error);
    this.#controller?.abort(error);
  }

  onDeadline(): void {
    this.fail(new DOMException("The operation was aborted due to timeout", "TimeoutError"));
  }

  onDisconnect(): void {
    this.fail(new DOMException("The caller disconnected", "AbortError"));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#failure) controller.abort(this.#failure);
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: HttpReply["headers"]): void {
    // Informational responses precede the actual one.
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#chunk === undefined) this.#chunk = chunk;
    else if (this.#chunks) this.#chunks.push(chunk);
    else this.#chunks = [this.#chunk, chunk];
    this.#length += chunk.length;
    const { keptBytes } = this.#exchange;
    if (keptBytes === undefined || this.#length <= keptBytes) return;
    this.#reply(prefixOf(this.#whole(), keptBytes), true);
    // The connection cannot be reused without reading the rest of the body.
    controller.abort(new Error("the rest of the reply is not read"));
  }

  onResponseEnd(): void {
    this.#reply(textOf(this.#whole()), false);
  }

  onResponseError(_: unknown, error: Error): void {
    if (this.#end()) this.#exchange.onFailure(error);
  }

  /** Ends the exchange. Returns false if it has already ended. */
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
    this.#exchange.onReply(isCut ? { ...reply, isCut } : reply);
  }

  #whole(): Buffer {
    if (this.#chunks) return Buffer.concat(this.#chunks, this.#length);
    return this.#chunk ?? nothing;
  }
}

const nothing = Buffer.alloc(0);

/** Decodes UTF-8, dropping a byte order mark. */
function textOf(bytes: Buffer): string {
  if (isAscii(bytes)) return bytes.toString("latin1");
  const text = bytes.toString("utf8");
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}

/** Decodes a prefix, dropping an incomplete last character. */
function prefixOf(bytes: Buffer, length: number): string {
  return new TextDecoder().decode(bytes.subarray(0, length), { stream: true });
}

/** Polling interval in milliseconds. */
const checkInterval = 200;

interface CallerWatcher {
  /** Called when the caller has disconnected. Must end the watch. */
  onDisconnect(): void;
}

interface Watched {
  readonly caller: Caller;
  readonly watcher: CallerWatcher;
}

/**
 * Slots that are reused. A Map with frequently changing entries is rebuilt often, and V8 links old tables to new ones,
 * which would keep calls and replies alive.
 */
const watched: (Watched | null)[] = [];
const freeSlots: number[] = [];
let timer: NodeJS.Timeout | undefined;

/**
 * Starts watching a caller.
 * @returns the slot to pass to `unwatchCaller` exactly once
 */
function watchCaller(caller: Caller, watcher: CallerWatcher): number {
  const slot = freeSlots.pop() ?? watched.length;
  watched[slot] = { caller, watcher };
  timer ??= setInterval(check, checkInterval).unref();
  return slot;
}

/** Ends a watch and frees its slot. */
function unwatchCaller(slot: number): void {
  watched[slot] = null;
  freeSlots.push(slot);
}

/**
 * Checks all watched callers. The timer stops one interval after the last call, because a timer per call would cost
 * more.
 */
function check(): void {
  if (freeSlots.length === watched.length) {
    clearInterval(timer);
    timer = undefined;
    return;
  }
  for (const each of watched) if (each?.caller.aborted) each.watcher.onDisconnect();
}
