/**
 * The connections of one source, opened on demand and closed when idle. Writes never use all of them, so that writes
 * waiting for locks leave connections to reads. If the server rejects another connection, the pool continues with the
 * existing ones and retries from time to time.
 */
import { EngineError } from "../../../values/errors.ts";
import { shortage } from "../../../values/shortage.ts";
import { cancelledError } from "../cancelled-error.ts";
import type { ConnectionCounts, ConnectionMeter } from "../source.ts";
import type { PostgresConnection } from "./connection.ts";
import type { ConnectionTimes } from "./connection-times.ts";
import { ConnectionWatch, type Member as WatchedMember } from "./connection-watch.ts";
import { Connector } from "./connector.ts";
import { findLost } from "./find-lost.ts";
import { PoolLimit } from "./pool-limit.ts";
import type { PostgresSettings } from "./settings.ts";
import { driverText, isConnectionLimit, translateConnectionError } from "./translate-database-error.ts";
import { type TakeCallback, type Use, WaiterQueue } from "./waiter-queue.ts";

export interface PoolEvents {
  /** Called when the server has closed an idle connection, which the pool replaces. */
  readonly onIdleLoss: (driverText: string) => void;
  /**
   * Called when the server has rejected another connection and the pool continues with fewer; once until the limit is
   * restored.
   */
  readonly onReduced: (connections: number, driverText: string) => void;
  readonly onRestored: () => void;
  /** Absent without metrics. */
  readonly meter?: ConnectionMeter | undefined;
}

interface Member extends WatchedMember {
  use: Use | undefined;
  /** Times on the clock of `performance.now`, with the resolution of the pool's timer. */
  readonly born: number;
  usedLast: number;
}

export class ConnectionPool {
  readonly #settings: PostgresSettings;
  readonly #times: ConnectionTimes;
  readonly #events: PoolEvents;
  readonly #connector: Connector;
  readonly #watch: ConnectionWatch;
  readonly #limit: PoolLimit;
  readonly #queue = new WaiterQueue();
  readonly #members = new Map<PostgresConnection, Member>();
  /** Idle connections, most recently used last. */
  #idle: Member[] = [];
  /** Number of connection attempts in progress. */
  #opening = 0;
  /** Number of connections used by writes. */
  #writing = 0;
  /** Current time, refreshed by the timer instead of for each statement. */
  #now = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #joinedLast = 0;
  #completed = 0;
  #closed: Promise<void> | undefined;
  /** The pool is closed and unused. */
  #isEnded = false;
  #whenUnused: (() => void) | undefined;

  constructor(settings: PostgresSettings, times: ConnectionTimes, events: PoolEvents) {
    this.#settings = settings;
    this.#times = times;
    this.#events = events;
    this.#connector = new Connector(settings, times);
    this.#limit = new PoolLimit(settings.maxConnections, times.regrow);
    this.#watch = new ConnectionWatch({
      times,
      members: () => this.#members.values(),
      findLost: (connections, limits) => findLost(this.#connector, connections, limits),
      onLost: (sent) => this.#closeIdleSince(sent),
    });
  }

  get counts(): ConnectionCounts {
    return {
      connections: this.#members.size,
      limit: this.#limit.now,
      idle: this.#idle.length,
      waiting: this.#queue.length,
    };
  }

  /** Hands out a connection, which the caller returns with `give`. */
  take(use: Use, done: TakeCallback): void {
    if (this.#isEnded) {
      done(translateConnectionError(new Error("the source is closed")), undefined);
      return;
    }
    if (this.#mayTake(use)) {
      const member = this.#idle.pop();
      if (member !== undefined) {
        this.#handOut(member, use, done);
        return;
      }
    }
    this.#queue.add({ use, done, since: performance.now() });
    this.#startTimer();
    this.#open();
  }

  /**
   * Hands out a connection as a promise.
   * @throws EngineError
   */
  takeOne(use: Use): Promise<PostgresConnection> {
    return new Promise((resolve, reject) => {
      this.take(use, (failure, connection) => (connection === undefined ? reject(failure) : resolve(connection)));
    });
  }

  /**
   * Returns a connection to the pool once any cancel request in progress has completed, so that the request cannot hit
   * the next user's statement.
   */
  give(connection: PostgresConnection, end = false): void {
    const { cancelled } = connection;
    if (cancelled !== undefined) {
      void cancelled.then(() => this.give(connection, end || connection.isLost));
      return;
    }
    if (!end) this.#completed++;
    const member = this.#members.get(connection);
    if (member !== undefined) {
      this.#free(member);
      member.usedLast = this.#now;
      if (end || connection.isLost || this.#isOver(member)) this.#retire(member);
      else this.#idle.push(member);
    }
    if (this.#queue.length > 0) this.#serve();
    this.#settle();
  }

  /** Marks a connection as unused. Its user may notice the end of the connection later than the pool. */
  #free(member: Member): void {
    if (member.use?.kind === "write") this.#writing--;
    member.use = undefined;
  }

  /** Number of times that a connection was returned alive. */
  get completed(): number {
    return this.#completed;
  }

  /**
   * Cancels running statements and rejects waiters. Resolves to their number after the server has received the
   * requests.
   */
  async cancelAll(reason?: EngineError): Promise<number> {
    const waiting = this.#queue.takeWhere(() => true);
    for (const { done } of waiting) done(reason ?? cancelledError(), undefined);
    const running = [...this.#members.keys()].filter((connection) => connection.running !== undefined);
    await Promise.all(running.map((connection) => connection.cancel(this.#times.cancel, reason)));
    this.#settle();
    return waiting.length + running.length;
  }

  /** Closes all connections after those in use have been returned and all waiters have been served. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#whenUnused = resolve;
      this.#settle();
    });
    this.#idle = [];
    await Promise.all([...this.#members.keys()].map((connection) => connection.leave(this.#times.close)));
    clearInterval(this.#timer);
  }

  get #isUsed(): boolean {
    return this.#queue.length > 0 || this.#members.size > this.#idle.length;
  }

  #settle(): void {
    if (this.#whenUnused === undefined || this.#isUsed) return;
    this.#isEnded = true;
    this.#whenUnused();
  }

  #mayTake({ kind }: Use): boolean {
    return kind !== "write" || this.#writing < this.#limit.forWrites;
  }

  #handOut(member: Member, use: Use, done: TakeCallback): void {
    member.use = use;
    if (use.kind === "write") this.#writing++;
    done(undefined, member.connection);
  }

  /** Gives idle connections to waiters and opens more for the remaining waiters. */
  #serve(): void {
    for (;;) {
      const member = this.#idle.at(-1);
      const waiter = member && this.#queue.next(this.#writing < this.#limit.forWrites);
      if (member === undefined || waiter === undefined) break;
      if (waiter.use.caller?.aborted) {
        waiter.done(cancelledError(), undefined);
        continue;
      }
      this.#idle.pop();
      this.#recordWait(waiter.since);
      this.#handOut(member, waiter.use, waiter.done);
    }
    this.#open();
  }

  /** Starts one connection attempt per waiter, up to the limit. */
  #open(): void {
    const wanted = this.#queue.countOf(Math.max(0, this.#limit.forWrites - this.#writing));
    while (this.#opening < wanted && this.#members.size + this.#opening < this.#limit.now) {
      this.#opening++;
      void this.#openOne();
    }
  }

  async #openOne(): Promise<void> {
    const began = performance.now();
    try {
      const isAlone = (): boolean => this.#members.size === 0 && this.#opening === 1;
      const connection = await this.#connector.connect((error) => !isConnectionLimit(error) || isAlone());
      if (connection.hasEnded) throw new Error("the server ended the connection");
      this.#opening--;
      this.#events.meter?.opened((performance.now() - began) / 1000);
      this.#limit.granted();
      this.#join(connection);
    } catch (error) {
      this.#opening--;
      this.#events.meter?.openingFailed();
      this.#failToOpen(error instanceof Error ? error : new Error(String(error)), began);
    }
  }

  #join(connection: PostgresConnection): void {
    const member: Member = { connection, use: undefined, born: performance.now(), usedLast: performance.now() };
    this.#members.set(connection, member);
    connection.once("error", (error) => this.#forgetIdle(member, error));
    connection.once("end", () => {
      this.#members.delete(connection);
      this.#free(member);
      this.#open();
      this.#settle();
    });
    this.#joinedLast = member.born;
    if (this.#isEnded) {
      this.#retire(member);
      return;
    }
    this.#idle.push(member);
    this.#serve();
  }

  /** Removes an idle connection that failed. A server that shuts down ends all of its connections at once. */
  #forgetIdle(member: Member, error: Error): void {
    const index = this.#idle.indexOf(member);
    if (index < 0) return;
    this.#idle.splice(index, 1);
    this.#events.onIdleLoss(driverText(error));
  }

  #failToOpen(error: Error, began: number): void {
    const granted = this.#members.size + this.#opening;
    const isGivenBack = ({ use }: Member): boolean => use?.kind !== "listen";
    const isLimit = shortage.isCauseOf(error) || isConnectionLimit(error);
    if (isLimit && (this.#opening > 0 || [...this.#members.values()].some(isGivenBack))) {
      // The waiters get a returned connection or one from another attempt.
      if (this.#limit.reduce(granted, performance.now())) this.#events.onReduced(granted, driverText(error));
      return;
    }
    const failure = translateConnectionError(error);
    // Without any connection, all waiters would fail in the same way, one attempt after the other.
    const isAway = this.#members.size === 0 && this.#joinedLast <= began;
    const failed = isAway ? this.#queue.takeWhere(({ since }) => since <= began) : [this.#queue.next(true)];
    for (const waiter of failed) waiter?.done(failure, undefined);
    this.#open();
    this.#settle();
  }

  #isOver({ born }: Member): boolean {
    const { connectionLifetimeSeconds } = this.#settings;
    const isExpired = connectionLifetimeSeconds > 0 && this.#now - born >= connectionLifetimeSeconds * 1000;
    return isExpired || this.#members.size > this.#limit.now;
  }

  #retire({ connection }: Member): void {
    void connection.leave(this.#times.close);
  }

  /** Closes connections that have been idle since `moment`, because they may also be dead. */
  #closeIdleSince(moment: number): void {
    for (const member of this.#idle.filter(({ usedLast }) => usedLast <= moment)) {
      member.connection.destroy(new Error("another connection to the server was lost"));
    }
  }

  #startTimer(): void {
    if (this.#timer !== undefined) return;
    this.#now = performance.now();
    this.#timer = setInterval(() => this.#tick(), this.#times.tick);
    // Sockets already keep the process alive.
    this.#timer.unref();
  }

  #tick(): void {
    this.#now = performance.now();
    if (this.#queue.length > 0) this.#refuseWaiting();
    this.#watch.check(this.#now);
    this.#endIdle();
    if (this.#limit.grow(this.#now)) {
      this.#serve();
      if (!this.#limit.isReduced) this.#events.onRestored();
    }
    if (this.#members.size + this.#opening + this.#queue.length > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Rejects waiters whose callers disconnected and waiters that exceeded the pool timeout. */
  #refuseWaiting(): void {
    for (const { done } of this.#queue.takeWhere(({ use }) => use.caller?.aborted === true)) {
      done(cancelledError(), undefined);
    }
    const { poolTimeoutSeconds: seconds } = this.#settings;
    if (seconds === 0) return;
    const late = this.#queue.takeWhere(({ since }) => this.#now - since >= seconds * 1000);
    for (const { since, done } of late) {
      this.#recordWait(since);
      done(this.#exhausted(seconds), undefined);
    }
    this.#settle();
  }

  /**
   * Records the time that a waiter has waited. Waiters that timed out are included, because they reveal an exhausted
   * pool.
   */
  #recordWait(since: number): void {
    this.#events.meter?.waited((performance.now() - since) / 1000);
  }

  #exhausted(seconds: number): EngineError {
    const { name } = this.#settings;
    const { limit } = this.counts;
    const internal =
      `all ${limit} connections of source ${name} were in use: raise its pool_settings.max_connections, ` +
      "or pool_settings.pool_timeout for a longer wait";
    const message = `no database connection became free within ${seconds} seconds`;
    return new EngineError("postgres-error", "$", message, { status: 500, internal });
  }

  #endIdle(): void {
    const { idleTimeoutSeconds } = this.#settings;
    const isUseful = (member: Member): boolean =>
      !this.#isOver(member) && (idleTimeoutSeconds === 0 || this.#now - member.usedLast < idleTimeoutSeconds * 1000);
    if (this.#idle.every(isUseful)) return;
    const ended = this.#idle.filter((member) => !isUseful(member));
    this.#idle = this.#idle.filter(isUseful);
    for (const member of ended) this.#retire(member);
  }
}
