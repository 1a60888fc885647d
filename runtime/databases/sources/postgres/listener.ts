/**
 * One pooled connection that listens to all channels in use. Delivery is verified with test messages, because poolers
 * that share connections deliver none. Without delivery, subscribers are notified to poll.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { EngineError, invariant } from "../../../values/errors.ts";
import type { ChangeWatch, PreparedStatement, SqlValue, TextRow } from "../source.ts";
import type { PostgresConnection } from "./connection.ts";

/** Times in milliseconds. */
export interface ListenerTimes {
  /** Delay before a lost connection is replaced. */
  readonly reconnect: number;
  /** Timeout for a test message to arrive. */
  readonly delivery: number;
  /** Interval between test messages. */
  readonly check: number;
  /** Delay before a connection without delivery is tried again. */
  readonly retry: number;
}

const listenerTimes: ListenerTimes = { reconnect: 1000, delivery: 5000, check: 30_000, retry: 60_000 };

export interface ListenerParts {
  /** Takes a connection from the pool; the listener returns it with `give`. */
  readonly take: () => Promise<PostgresConnection>;
  readonly give: (connection: PostgresConnection) => void;
  query(statement: PreparedStatement, values: readonly SqlValue[]): Promise<readonly TextRow[]>;
  /** Called once when delivery stops working, and once when it works again. */
  readonly onDelivery: (isDelivered: boolean) => void;
}

/** @param message `undefined` if messages may have been missed */
type OnMessage = (message: string | undefined) => void;

interface Subscriber extends ChangeWatch {
  readonly onMessage: OnMessage;
}

/** Channel of test messages. */
const ownChannel = "engine_listener";

export class Listener {
  readonly #parts: ListenerParts;
  readonly #times: ListenerTimes;
  /** Subscribers by channel. */
  readonly #subscribers = new Map<string, Set<Subscriber>>();
  /** Callbacks of test messages in flight, by payload. */
  readonly #awaited = new Map<string, () => void>();
  #connection: PostgresConnection | undefined;
  #connecting: Promise<void> | undefined;
  /** True if the last test message arrived. */
  #isDelivering = true;
  #isReconnecting = false;
  readonly #closing = new AbortController();

  constructor(parts: ListenerParts, times: ListenerTimes = listenerTimes) {
    this.#parts = parts;
    this.#times = times;
  }

  /**
   * Calls `onMessage` for each message of the channel, and when messages may have been missed.
   * @param channel a simple name, which becomes part of a statement
   * @throws EngineError if the database is unreachable
   */
  async listen(channel: string, onMessage: OnMessage): Promise<ChangeWatch> {
    invariant(/^[a-z_]+$/.test(channel), "a channel has a simple name");
    const isListening = (): boolean => this.#connection !== undefined;
    const subscribers = this.#subscribers.get(channel) ?? new Set();
    const subscriber: Subscriber = {
      onMessage,
      get isLive() {
        return isListening();
      },
      stop: () => {
        subscribers.delete(subscriber);
      },
    };
    const isNew = !this.#subscribers.has(channel);
    this.#subscribers.set(channel, subscribers);
    subscribers.add(subscriber);
    try {
      if (isNew && this.#connection) await this.#add(this.#connection, channel);
      await this.#listen();
    } catch (error) {
      subscriber.stop();
      throw error;
    }
    return subscriber;
  }

  close(): void {
    this.#closing.abort();
    this.#subscribers.clear();
    this.#drop();
  }

  async #add(connection: PostgresConnection, channel: string): Promise<void> {
    try {
      await connection.runText(`LISTEN ${channel}`);
    } catch {
      this.#lose(connection); // the next connection listens to all channels
    }
  }

  /** Starts listening. Resolves when messages are delivered, or are known not to be, so that subscribers poll. */
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
      for (const { onMessage } of [...(this.#subscribers.get(channel) ?? [])]) onMessage(payload);
    });
    let isDelivered: boolean;
    const channels = [ownChannel, ...this.#subscribers.keys()];
    try {
      await connection.runText(channels.map((channel) => `LISTEN ${channel}`).join(";"));
      isDelivered = await this.#testDelivery();
    } catch (error) {
      connection.isLostBy(error instanceof Error ? error : new Error(String(error)));
      this.#release(connection);
      throw new EngineError("postgres-error", "$", "connection error", { status: 500, cause: error });
    }
    this.#reportDelivery(isDelivered);
    if (!isDelivered || connection.isLost || this.#closing.signal.aborted) {
      this.#release(connection);
      void this.#reconnect(isDelivered ? this.#times.reconnect : this.#times.retry);
      return;
    }
    invariant(this.#connection === undefined, "one connection listens");
    this.#connection = connection;
    connection.once("end", () => this.#lose(connection));
    // Channels that were added in the meantime.
    for (const channel of this.#subscribers.keys())
      if (!channels.includes(channel)) await this.#add(connection, channel);
    void this.#keepChecking(connection);
  }

  /**
   * Sends a test message on another connection and waits for it. A pooler in transaction mode accepts LISTEN but
   * delivers nothing, and neither does a connection that was lost silently.
   * @throws EngineError if the message cannot be sent
   */
  async #testDelivery(): Promise<boolean> {
    const token = randomUUID();
    const arrival = new Promise<boolean>((resolve) => this.#awaited.set(token, () => resolve(true)));
    const waiting = new AbortController();
    try {
      await this.#parts.query({ text: "select pg_notify($1::text, $2::text)::text" }, [ownChannel, token]);
      const timeOut = delay(this.#times.delivery, false, { ref: false, signal: waiting.signal });
      return await Promise.race([arrival, timeOut.catch(() => false)]);
    } finally {
      waiting.abort();
      this.#awaited.delete(token);
    }
  }

  async #keepChecking(connection: PostgresConnection): Promise<void> {
    const { signal } = this.#closing;
    while (this.#connection === connection) {
      await delay(this.#times.check, undefined, { ref: false, signal }).catch(() => undefined); // listener closed
      if (this.#connection !== connection) return;
      // A failure to send does not show whether messages are delivered.
      const isDelivered = await this.#testDelivery().catch(() => true);
      if (isDelivered || this.#connection !== connection) continue;
      this.#reportDelivery(false);
      this.#lose(connection);
    }
  }

  #reportDelivery(isDelivered: boolean): void {
    if (isDelivered !== this.#isDelivering) this.#parts.onDelivery(isDelivered);
    this.#isDelivering = isDelivered;
  }

  #lose(connection: PostgresConnection): void {
    if (this.#connection !== connection) return;
    this.#drop();
    void this.#reconnect(this.#times.reconnect);
  }

  /**
   * Reconnects. Subscribers are notified before reconnecting, so that they poll, and afterwards, because messages may
   * have been missed.
   */
  async #reconnect(milliseconds: number): Promise<void> {
    this.#isReconnecting = true;
    this.#notifyAll();
    await delay(milliseconds, undefined, { ref: false, signal: this.#closing.signal }).catch(() => undefined); // closed
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
    for (const { onMessage } of [...this.#subscribers.values()].flatMap((subscribers) => [...subscribers]))
      onMessage(undefined);
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
