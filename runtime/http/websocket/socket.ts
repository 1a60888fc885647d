/** One open WebSocket. Disconnects clients that leave too much data unread or send nothing for too long. */
import type { Socket as RawSocket } from "node:net";
import { WebSocket } from "ws";
import type { Closing } from "./protocol.ts";
import { frameBeginning } from "./result-frame.ts";

/** While more unread bytes than this are buffered, the client's next message is not handled. */
const busyBytes = 1024 * 1024;
/** A client with more unread bytes than this is disconnected. */
const maxUnreadBytes = 16 * 1024 * 1024;
/** A client that sends nothing, not even a pong, or reads none of its buffered data for this long is disconnected. */
const silenceSeconds = 30;
/** The interval of pings if keep-alives are off. */
const pingSeconds = 10;

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
   * @param raw the TCP socket of the WebSocket
   * @param onWritten receives the time in seconds to write each message
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

  /** Sends a message; drops it if the socket is closing. */
  send(text: string): void {
    if (this.#canSend()) this.#ws.send(text, this.#whenSent());
  }

  /**
   * Sends one message in two parts without copying the second, which many clients may share. Writes the frame directly,
   * because `ws` would encode it for each client. Sends compressed messages through `ws`.
   */
  sendParts(beginning: Buffer, ending: Buffer): void {
    if (!this.#canSend()) return;
    if (this.#isCompressed) {
      this.#ws.send(Buffer.concat([beginning, ending]), { binary: false }, this.#whenSent());
      return;
    }
    this.#raw.cork();
    this.#raw.write(frameBeginning(beginning, ending.length));
    this.#raw.write(ending, this.#whenSent());
    this.#raw.uncork();
  }

  /** Sends a keep-alive unless other messages are being sent, which have the same effect. */
  sendKeepAlive(): void {
    if (this.#ws.bufferedAmount === 0) this.send(this.#keepAlive);
  }

  /**
   * Sends a keep-alive now and at an interval in seconds. If the interval is 0, sends only one. Pings the client in
   * either case.
   */
  startKeepAlive(seconds: number): void {
    this.sendKeepAlive();
    const interval = seconds || pingSeconds;
    const maxSilentTicks = Math.max(2, silenceSeconds / interval);
    this.#timer = setInterval(() => this.#tick(maxSilentTicks, seconds > 0), interval * 1000);
  }

  /** Returns true if the client has many unread bytes. */
  isBusy(): boolean {
    return !this.#isFlushed();
  }

  /** Resolves when the client has few unread bytes or the socket has closed. */
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
    // While paused, the socket would not receive the client's part of the closing handshake.
    this.#ws.resume();
    this.#ws.close(code, reason);
  }

  /** Closes the socket without reading further data. */
  closeUnread({ code, reason }: Closing): void {
    this.#ws.close(code, reason);
    this.#ws.pause();
  }

  terminate(): void {
    this.#ws.terminate();
  }

  /**
   * Disconnects a silent or stalled client, otherwise pings it. Counts ticks instead of seconds, because a server that
   * was blocked for a while has received nothing in that time.
   */
  #tick(maxSilentTicks: number, keepsAlive: boolean): void {
    const { bytesRead } = this.#raw;
    const waiting = this.#ws.bufferedAmount;
    // A paused socket is never silent, because nothing is read from it.
    const isSilent = bytesRead === this.#readBefore && waiting >= this.#waitingBefore && !this.#ws.isPaused;
    // A client that reads nothing is disconnected, even if it sends messages.
    const isStalled = waiting > busyBytes && waiting >= this.#waitingBefore;
    this.#silentTicks = isSilent || isStalled ? this.#silentTicks + 1 : 0;
    if (this.#silentTicks > maxSilentTicks) {
      this.#ws.terminate();
      return;
    }
    this.#readBefore = bytesRead;
    this.#waitingBefore = waiting;
    this.#raw.cork();
    if (keepsAlive) this.sendKeepAlive();
    // Clients respond to pings in either sub-protocol.
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

  /** Returns true if a message can be sent. Disconnects a client with too many unread bytes. */
  #canSend(): boolean {
    if (this.#ws.readyState !== WebSocket.OPEN) return false;
    if (this.#ws.bufferedAmount <= maxUnreadBytes) return true;
    this.#ws.terminate();
    return false;
  }

  #isFlushed(): boolean {
    return this.#ws.readyState === WebSocket.CLOSED || this.#ws.bufferedAmount <= busyBytes;
  }

  #release(): void {
    if (this.#flushed.length === 0 || !this.#isFlushed()) return;
    for (const resolve of this.#flushed.splice(0)) resolve();
  }
}
