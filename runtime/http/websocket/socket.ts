/**
 * One open WebSocket with bounds: what waits to be sent, and how long the other side may be silent. Input: messages;
 * output: frames on the wire.
 */
import type { Socket as RawSocket } from "node:net";
import { WebSocket } from "ws";
import type { Closing } from "./protocol.ts";
import { frameBeginning } from "./result-frame.ts";

/** While more bytes than this wait to be read by the client, its next message is not handled. */
const muchWaiting = 1024 * 1024;
/** Results that nobody asked for one by one may pile up so far, in bytes; then the socket is given up. */
const tooMuchWaiting = 16 * 1024 * 1024;
/** A client that neither sends nor reads for so long, not even the answer to a ping, is gone; or reads none of much. */
const silenceSeconds = 30;
/** So often a client is asked whether it is there where no keep-alives are wanted. */
const unheardSeconds = 10;

export class Socket {
  readonly #ws: WebSocket;
  readonly #raw: RawSocket;
  readonly #keepAlive: string;
  readonly #isCompressed: boolean;
  readonly #onSent = (): void => this.#release();
  readonly #onWritten: ((seconds: number) => void) | undefined;
  #flushed: (() => void)[] = [];
  #timer: NodeJS.Timeout | null = null;
  #readBefore = 0;
  #waitingBefore = 0;
  #silentTicks = 0;

  /**
   * @param raw what the WebSocket runs on
   * @param onWritten told of each message how long it took to write it; absent: nobody wants to know
   * @param keepAlive the message that keeps proxies from closing an idle connection
   */
  constructor(ws: WebSocket, raw: RawSocket, keepAlive: string, onWritten?: (seconds: number) => void) {
    this.#ws = ws;
    this.#onWritten = onWritten;
    this.#raw = raw;
    this.#keepAlive = keepAlive;
    this.#isCompressed = ws.extensions !== "";
    ws.on("close", () => {
      if (this.#timer) clearInterval(this.#timer);
      this.#release();
    });
  }

  /** Messages for a socket that is closing are dropped. */
  send(text: string): void {
    if (this.#mayTakeMore()) this.#ws.send(text, this.#whenSent());
  }

  /**
   * Sends one message in two parts, of which the second may be sent to others too: it is not copied. What `ws` itself
   * would do for a message that is not compressed, without encoding it for each client.
   */
  sendParts(beginning: Buffer, ending: Buffer): void {
    if (!this.#mayTakeMore()) return;
    if (this.#isCompressed) {
      this.#ws.send(Buffer.concat([beginning, ending]), { binary: false }, this.#whenSent());
      return;
    }
    this.#raw.cork();
    this.#raw.write(frameBeginning(beginning, ending.length));
    this.#raw.write(ending, this.#whenSent());
    this.#raw.uncork();
  }

  /** Left out while other messages are on their way, which serve as well. */
  sendKeepAlive(): void {
    if (this.#ws.bufferedAmount === 0) this.send(this.#keepAlive);
  }

  /** Sends a keep-alive now and every so many seconds; 0: only now, and whether the client is there is asked all the same. */
  startKeepAlive(seconds: number): void {
    this.sendKeepAlive();
    const interval = seconds || unheardSeconds;
    const mostSilentTicks = Math.max(2, silenceSeconds / interval);
    this.#timer = setInterval(() => this.#tick(mostSilentTicks, seconds > 0), interval * 1000);
  }

  /** Much of what was sent has not been read by the client yet. */
  isBusy(): boolean {
    return !this.#isFlushed();
  }

  /** Resolves when most of what was sent has been read, or the socket has closed. */
  flushed(): Promise<void> {
    if (this.#isFlushed()) return Promise.resolve();
    return new Promise((resolve) => this.#flushed.push(resolve));
  }

  pause(): void {
    this.#ws.pause();
  }

  resume(): void {
    this.#ws.resume();
  }

  close({ code, reason }: Closing): void {
    // A socket that is not read would not see the client's part of the closing handshake.
    this.#ws.resume();
    this.#ws.close(code, reason);
  }

  /** The same, without reading what the client still sends. */
  closeUnread({ code, reason }: Closing): void {
    this.#ws.close(code, reason);
    this.#ws.pause();
  }

  terminate(): void {
    this.#ws.terminate();
  }

  /** Ticks are counted, not seconds: a server that was busy for long has heard nobody. */
  #tick(mostSilentTicks: number, keepsAlive: boolean): void {
    const { bytesRead } = this.#raw;
    const waiting = this.#ws.bufferedAmount;
    // A socket that we do not read cannot be heard.
    const isSilent = bytesRead === this.#readBefore && waiting >= this.#waitingBefore && !this.#ws.isPaused;
    // One that takes nothing of much is not served any more, whatever it sends.
    const isStalled = waiting > muchWaiting && waiting >= this.#waitingBefore;
    this.#silentTicks = isSilent || isStalled ? this.#silentTicks + 1 : 0;
    if (this.#silentTicks > mostSilentTicks) {
      this.#ws.terminate();
      return;
    }
    this.#readBefore = bytesRead;
    this.#waitingBefore = waiting;
    this.#raw.cork();
    if (keepsAlive) this.sendKeepAlive();
    // Every client answers it, whatever sub-protocol it speaks.
    if (waiting === 0 && this.#ws.readyState === WebSocket.OPEN) this.#ws.ping();
    this.#raw.uncork();
  }

  #whenSent(): () => void {
    const onWritten = this.#onWritten;
    if (onWritten === undefined) return this.#onSent;
    const start = performance.now();
    return () => {
      onWritten((performance.now() - start) / 1000);
      this.#release();
    };
  }

  /** Gives up a client for which too much waits. */
  #mayTakeMore(): boolean {
    if (this.#ws.readyState !== WebSocket.OPEN) return false;
    if (this.#ws.bufferedAmount <= tooMuchWaiting) return true;
    this.#ws.terminate();
    return false;
  }

  #isFlushed(): boolean {
    return this.#ws.readyState === WebSocket.CLOSED || this.#ws.bufferedAmount <= muchWaiting;
  }

  #release(): void {
    if (this.#flushed.length === 0 || !this.#isFlushed()) return;
    for (const resolve of this.#flushed.splice(0)) resolve();
  }
}
