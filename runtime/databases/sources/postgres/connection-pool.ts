/**
 * Connections of one source: handed out one by one, made when they are needed and ended when they are not. Writes never
 * take all of them, so that those that wait for a lock leave some to reads. Where the server takes no more connections,
 * the pool makes do with those that it has, and tries now and then whether there is room again.
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
import { type TakeCallback, TakerQueue, type Use } from "./taker-queue.ts";
import { driverText, isConnectionLimit, translateConnectionError } from "./translate-database-error.ts";

export interface PoolEvents {
  /** The server dropped a connection that nobody used; the pool replaces it by itself. */
  readonly onIdleLoss: (driverText: string) => void;
  /** The server refused another connection; the pool goes on with these. Called once until it has all of them again. */
  readonly onReduced: (connections: number, driverText: string) => void;
  readonly onRestored: () => void;
  /** Absent: nobody reads it. */
  readonly meter?: ConnectionMeter | undefined;
}

interface Member extends WatchedMember {
  use: Use | undefined;
  /** Moments of `performance.now`, as exact as the pool looks at its clock. */
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
  readonly #queue = new TakerQueue();
  readonly #members = new Map<PostgresConnection, Member>();
  /** Those that nobody uses, the one used last at the end. */
  #idle: Member[] = [];
  /** Attempts to connect that are under way. */
  #opening = 0;
  /** How many of the members are used to write. */
  #writing = 0;
  /** The clock, read when statements are looked at and not for each of them. */
  #now = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #joinedLast = 0;
  #answered = 0;
  #closed: Promise<void> | undefined;
  /** Nobody is left of those who are waited for. */
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
      onLost: (sent) => this.#distrust(sent),
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

  /** Hands out a connection, new or used before; to be given back with `give`. */
  take(use: Use, done: TakeCallback): void {
    if (this.#isEnded) {
      done(translateConnectionError(new Error("the source is closed")), undefined);
      return;
    }
    if (this.#mayTake(use)) {
      const member = this.#idle.pop();
      if (member !== undefined) {
        this.#hand(member, use, done);
        return;
      }
    }
    this.#queue.add({ use, done, since: performance.now() });
    this.#startLooking();
    this.#open();
  }

  /** @throws EngineError */
  takeOne(use: Use): Promise<PostgresConnection> {
    return new Promise((resolve, reject) => {
      this.take(use, (failure, connection) => (connection === undefined ? reject(failure) : resolve(connection)));
    });
  }

  /** A cancel request that is under way ends first: it must not hit the next taker's statement. */
  give(connection: PostgresConnection, end = false): void {
    const { cancelled } = connection;
    if (cancelled !== undefined) {
      void cancelled.then(() => this.give(connection, end || connection.isLost));
      return;
    }
    if (!end) this.#answered++;
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

  /** Whoever took it may find out later than the pool that it has ended. */
  #free(member: Member): void {
    if (member.use?.kind === "write") this.#writing--;
    member.use = undefined;
  }

  /** How many connections came back alive. */
  get answered(): number {
    return this.#answered;
  }

  /** Cancels what runs now, and refuses those that wait. @returns how many statements, when the server knows of them */
  async cancelAll(reason?: EngineError): Promise<number> {
    const waiting = this.#queue.takeWhere(() => true);
    for (const { done } of waiting) done(reason ?? cancelledError(), undefined);
    const running = [...this.#members.keys()].filter((connection) => connection.running !== undefined);
    await Promise.all(running.map((connection) => connection.cancel(this.#times.cancel, reason)));
    this.#settle();
    return waiting.length + running.length;
  }

  /** Resolves when every connection is ended; those who use one or wait for one are waited for. */
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
    await Promise.all([...this.#members.keys()].map((connection) => connection.leave(this.#times.farewell)));
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

  #hand(member: Member, use: Use, done: TakeCallback): void {
    member.use = use;
    if (use.kind === "write") this.#writing++;
    done(undefined, member.connection);
  }

  /** Gives connections that nobody uses to those who wait, and opens more for the rest. */
  #serve(): void {
    for (;;) {
      const member = this.#idle.at(-1);
      const taker = member && this.#queue.next(this.#writing < this.#limit.forWrites);
      if (member === undefined || taker === undefined) break;
      if (taker.use.caller?.aborted) {
        taker.done(cancelledError(), undefined);
        continue;
      }
      this.#idle.pop();
      this.#tellWait(taker.since);
      this.#hand(member, taker.use, taker.done);
    }
    this.#open();
  }

  /** An attempt for each of those who wait, as far as the limit goes. */
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

  /** The server says at once of all its connections that it goes down. */
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
      // They wait for one that is given back, or for another attempt.
      if (this.#limit.reduce(granted, performance.now())) this.#events.onReduced(granted, driverText(error));
      return;
    }
    const failure = translateConnectionError(error);
    // Without any connection, all others would wait for attempts that fail just so.
    const isAway = this.#members.size === 0 && this.#joinedLast <= began;
    const failed = isAway ? this.#queue.takeWhere(({ since }) => since <= began) : [this.#queue.next(true)];
    for (const taker of failed) taker?.done(failure, undefined);
    this.#open();
    this.#settle();
  }

  #isOver({ born }: Member): boolean {
    const { connectionLifetimeSeconds } = this.#settings;
    const isExpired = connectionLifetimeSeconds > 0 && this.#now - born >= connectionLifetimeSeconds * 1000;
    return isExpired || this.#members.size > this.#limit.now;
  }

  #retire({ connection }: Member): void {
    void connection.leave(this.#times.farewell);
  }

  /** Ends the connections that nobody has used since then: they may lead nowhere, too. */
  #distrust(moment: number): void {
    for (const member of this.#idle.filter(({ usedLast }) => usedLast <= moment)) {
      member.connection.destroy(new Error("another connection to the server was lost without a word"));
    }
  }

  #startLooking(): void {
    if (this.#timer !== undefined) return;
    this.#now = performance.now();
    this.#timer = setInterval(() => this.#look(), this.#times.look);
    // Sockets keep the process alive.
    this.#timer.unref();
  }

  #look(): void {
    this.#now = performance.now();
    if (this.#queue.length > 0) this.#refuseWaiting();
    this.#watch.look(this.#now);
    this.#endIdle();
    if (this.#limit.grow(this.#now)) {
      this.#serve();
      if (!this.#limit.isReduced) this.#events.onRestored();
    }
    if (this.#members.size + this.#opening + this.#queue.length > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Those whom nobody waits for, and those who have waited long enough. */
  #refuseWaiting(): void {
    for (const { done } of this.#queue.takeWhere(({ use }) => use.caller?.aborted === true)) {
      done(cancelledError(), undefined);
    }
    const { poolTimeoutSeconds: seconds } = this.#settings;
    if (seconds === 0) return;
    const late = this.#queue.takeWhere(({ since }) => this.#now - since >= seconds * 1000);
    for (const { since, done } of late) {
      this.#tellWait(since);
      done(this.#exhausted(seconds), undefined);
    }
    this.#settle();
  }

  /** Also of those who waited in vain: a pool that is exhausted shows by them. */
  #tellWait(since: number): void {
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
