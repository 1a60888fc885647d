/**
 * One connection of the pool that listens to all channels of LISTEN that somebody wants to hear. Whether messages
 * arrive is tried, not believed: behind a pooler that shares connections none do. Where it hears nothing, it says so,
 * and those who listen look for themselves.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { EngineError, invariant } from "../../../values/errors.ts";
import type { ChangeWatch, PreparedStatement, SqlValue, TextRow } from "../source.ts";
import type { PostgresConnection } from "./connection.ts";

/** In milliseconds. */
export interface ListenerTimes {
  /** Until a lost connection is replaced. */
  readonly reconnect: number;
  /** A message of our own has to arrive within this time, else the connection carries none. */
  readonly heard: number;
  /** From one such message to the next. */
  readonly check: number;
  /** Until a connection that carried no message is tried again. */
  readonly unheard: number;
}

const listenerTimes: ListenerTimes = { reconnect: 1000, heard: 5000, check: 30_000, unheard: 60_000 };

export interface ListenerParts {
  /** A connection to keep; given back with `give`. */
  readonly take: () => Promise<PostgresConnection>;
  readonly give: (connection: PostgresConnection) => void;
  query(statement: PreparedStatement, values: readonly SqlValue[]): Promise<readonly TextRow[]>;
  /** Told once when messages do not arrive, and once when they do again. */
  readonly onHearing: (isHeard: boolean) => void;
}

/** @param message `undefined`: any may have been missed */
type OnMessage = (message: string | undefined) => void;

interface Hearer extends ChangeWatch {
  readonly onMessage: OnMessage;
}

/** For messages of our own. */
const ownChannel = "engine_listener";

export class Listener {
  readonly #parts: ListenerParts;
  readonly #times: ListenerTimes;
  /** By channel. */
  readonly #hearers = new Map<string, Set<Hearer>>();
  /** Messages of our own that are to arrive. */
  readonly #awaited = new Map<string, () => void>();
  #connection: PostgresConnection | undefined;
  #connecting: Promise<void> | undefined;
  /** Whether messages arrived when that was last tried. */
  #isHeard = true;
  #isReconnecting = false;
  readonly #closing = new AbortController();

  constructor(parts: ListenerParts, times: ListenerTimes = listenerTimes) {
    this.#parts = parts;
    this.#times = times;
  }

  /**
   * Calls with each message of the channel, and when messages may have been missed.
   * @param channel a simple name: it becomes text of a statement
   * @throws EngineError when the database cannot be reached
   */
  async listen(channel: string, onMessage: OnMessage): Promise<ChangeWatch> {
    invariant(/^[a-z_]+$/.test(channel), "a channel has a simple name");
    const isListening = (): boolean => this.#connection !== undefined;
    const hearers = this.#hearers.get(channel) ?? new Set();
    const hearer: Hearer = {
      onMessage,
      get isLive() {
        return isListening();
      },
      stop: () => {
        hearers.delete(hearer);
      },
    };
    const isNew = !this.#hearers.has(channel);
    this.#hearers.set(channel, hearers);
    hearers.add(hearer);
    try {
      if (isNew && this.#connection) await this.#add(this.#connection, channel);
      await this.#listen();
    } catch (error) {
      hearer.stop();
      throw error;
    }
    return hearer;
  }

  close(): void {
    this.#closing.abort();
    this.#hearers.clear();
    this.#drop();
  }

  async #add(connection: PostgresConnection, channel: string): Promise<void> {
    try {
      await connection.runText(`LISTEN ${channel}`);
    } catch {
      this.#lose(connection); // the next connection listens to all of them
    }
  }

  /** Resolves when changes are heard of, or it is known that they are not: then everything is polled. */
  #listen(): Promise<void> {
    if (this.#connection || this.#isReconnecting) return Promise.resolve();
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  async #connect(): Promise<void> {
    const connection = await this.#parts.take();
    connection.on("notification", ({ channel, payload = "" }) => {
      if (channel === ownChannel) this.#awaited.get(payload)?.();
      for (const { onMessage } of [...(this.#hearers.get(channel) ?? [])]) onMessage(payload);
    });
    let isHeard: boolean;
    const channels = [ownChannel, ...this.#hearers.keys()];
    try {
      await connection.runText(channels.map((channel) => `LISTEN ${channel}`).join(";"));
      isHeard = await this.#isHeardNow();
    } catch (error) {
      connection.isLostBy(error instanceof Error ? error : new Error(String(error)));
      this.#release(connection);
      throw new EngineError("postgres-error", "$", "connection error", { status: 500, cause: error });
    }
    this.#noteHearing(isHeard);
    if (!isHeard || connection.isLost || this.#closing.signal.aborted) {
      this.#release(connection);
      void this.#reconnect(isHeard ? this.#times.reconnect : this.#times.unheard);
      return;
    }
    invariant(this.#connection === undefined, "one connection listens");
    this.#connection = connection;
    connection.once("end", () => this.#lose(connection));
    // Channels that were added meanwhile.
    for (const channel of this.#hearers.keys()) if (!channels.includes(channel)) await this.#add(connection, channel);
    void this.#keepChecking(connection);
  }

  /**
   * Sends a message on another connection and waits for it. A pooler that hands every transaction another server
   * connection accepts LISTEN and delivers nothing; so does a network that lost the connection without a word.
   * @throws EngineError when it cannot be sent
   */
  async #isHeardNow(): Promise<boolean> {
    const token = randomUUID();
    const arrival = new Promise<boolean>((resolve) => this.#awaited.set(token, () => resolve(true)));
    const waiting = new AbortController();
    try {
      await this.#parts.query({ text: "select pg_notify($1::text, $2::text)::text" }, [ownChannel, token]);
      const timeOut = delay(this.#times.heard, false, { ref: false, signal: waiting.signal });
      return await Promise.race([arrival, timeOut.catch(() => false)]);
    } finally {
      waiting.abort();
      this.#awaited.delete(token);
    }
  }

  async #keepChecking(connection: PostgresConnection): Promise<void> {
    const { signal } = this.#closing;
    while (this.#connection === connection) {
      await delay(this.#times.check, undefined, { ref: false, signal }).catch(() => undefined); // closing
      if (this.#connection !== connection) return;
      // A failure to send says nothing about what is heard.
      const isHeard = await this.#isHeardNow().catch(() => true);
      if (isHeard || this.#connection !== connection) continue;
      this.#noteHearing(false);
      this.#lose(connection);
    }
  }

  #noteHearing(isHeard: boolean): void {
    if (isHeard !== this.#isHeard) this.#parts.onHearing(isHeard);
    this.#isHeard = isHeard;
  }

  #lose(connection: PostgresConnection): void {
    if (this.#connection !== connection) return;
    this.#drop();
    void this.#reconnect(this.#times.reconnect);
  }

  /** Until it listens again, everything is polled; what happened meanwhile may have changed anything. */
  async #reconnect(milliseconds: number): Promise<void> {
    this.#isReconnecting = true;
    this.#notifyAll();
    await delay(milliseconds, undefined, { ref: false, signal: this.#closing.signal }).catch(() => undefined); // closing
    this.#isReconnecting = false;
    if (this.#closing.signal.aborted) return;
    try {
      await this.#listen();
    } catch {
      void this.#reconnect(this.#times.reconnect);
      return;
    }
    this.#notifyAll();
  }

  #notifyAll(): void {
    for (const { onMessage } of [...this.#hearers.values()].flatMap((hearers) => [...hearers])) onMessage(undefined);
  }

  #drop(): void {
    const connection = this.#connection;
    this.#connection = undefined;
    if (connection) this.#release(connection);
  }

  #release(connection: PostgresConnection): void {
    connection.removeAllListeners("notification");
    this.#parts.give(connection);
  }
}
