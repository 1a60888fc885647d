/**
 * Checks running statements several times a second: cancels those whose callers disconnected, closes the connections of
 * those that exceed their time limits, and detects silent statements that the server no longer processes. Packets can
 * be lost silently, and the operating system reports that only after about a quarter of an hour.
 */
import type { PostgresConnection } from "./connection.ts";
import type { ConnectionTimes } from "./connection-times.ts";
import type { Use } from "./waiter-queue.ts";

/** A connection of the pool with its current use. */
export interface Member {
  readonly connection: PostgresConnection;
  readonly use: Use | undefined;
}

export interface WatchParts {
  readonly times: ConnectionTimes;
  readonly members: () => Iterable<Member>;
  /** Returns the dead connections among these, `all` if the server is unreachable. Never rejects. */
  readonly findLost: (
    connections: readonly PostgresConnection[],
    times: ConnectionTimes,
  ) => Promise<ReadonlySet<PostgresConnection> | "all" | "unknown">;
  /**
   * Called when a connection was lost silently.
   * @param sent when its statement was sent
   */
  readonly onLost: (sent: number) => void;
}

/** Observations of a running statement. Times are on the clock of `performance.now`. */
interface Observation {
  readonly statement: object;
  readonly since: number;
  bytes: number;
  /** When data was last received or the statement was last checked on the server. */
  lastActivity: number;
  cancelled: number | undefined;
}

export class ConnectionWatch {
  readonly #parts: WatchParts;
  readonly #observations = new WeakMap<PostgresConnection, Observation>();
  readonly #pinged = new WeakMap<PostgresConnection, number>();
  #isChecking = false;

  constructor(parts: WatchParts) {
    this.#parts = parts;
  }

  check(now: number): void {
    const silent: PostgresConnection[] = [];
    const pings: PostgresConnection[] = [];
    const { silence, pingSilence } = this.#parts.times;
    for (const { connection, use } of this.#parts.members()) {
      if (use === undefined) continue;
      const statement = connection.running;
      if (statement === undefined) {
        if (use.kind === "listen") this.#ping(connection, now);
        continue;
      }
      const observation = this.#observe(connection, statement, now);
      if (connection.isHeldBack) {
        // Backpressure: the server is silent because its data is not being read.
        observation.lastActivity = now;
        if (use.caller?.aborted) {
          // The server is blocked on sending and would not process a cancel request.
          connection.destroy(new Error("the caller disconnected"));
          continue;
        }
      }
      this.#limit(connection, use, observation, now);
      const isPing = use.kind === "ping";
      if (now - observation.lastActivity >= (isPing ? pingSilence : silence))
        (isPing ? pings : silent).push(connection);
    }
    if (this.#isChecking) return;
    if (pings.length > 0) void this.#check(pings, "pings");
    else if (silent.length > 0) void this.#check(silent, "statements");
  }

  #observe(connection: PostgresConnection, statement: object, now: number): Observation {
    const bytes = connection.bytesRead;
    let observation = this.#observations.get(connection);
    if (observation?.statement !== statement) {
      observation = { statement, since: now, bytes, lastActivity: now, cancelled: undefined };
      this.#observations.set(connection, observation);
    }
    if (observation.bytes !== bytes) {
      observation.bytes = bytes;
      observation.lastActivity = now;
    }
    return observation;
  }

  #limit(
    connection: PostgresConnection,
    { caller, limitMilliseconds }: Use,
    observation: Observation,
    now: number,
  ): void {
    const { cancel } = this.#parts.times;
    if (caller?.aborted && observation.cancelled === undefined) {
      observation.cancelled = now;
      void connection.cancel(cancel);
    }
    const limit =
      observation.cancelled ?? (limitMilliseconds === undefined ? undefined : observation.since + limitMilliseconds);
    if (limit === undefined || now <= limit + cancel) return;
    this.#lose(connection, observation, "the statement exceeded its time limit");
  }

  #lose(connection: PostgresConnection, { since }: Observation, reason: string): void {
    connection.destroy(new Error(reason));
    this.#parts.onLost(since);
  }

  #ping(connection: PostgresConnection, now: number): void {
    if (now - (this.#pinged.get(connection) ?? 0) < this.#parts.times.ping) return;
    this.#pinged.set(connection, now);
    connection.ping();
  }

  /**
   * Checks silent connections. A failed check is repeated, because a single packet may have been lost; a failed ping
   * affects no other connection.
   */
  async #check(silent: readonly PostgresConnection[], kind: "statements" | "pings"): Promise<void> {
    const { times } = this.#parts;
    const isPing = kind === "pings";
    const limits = isPing ? { ...times, silence: times.pingSilence, check: times.pingCheck } : times;
    this.#isChecking = true;
    const before = new Map(Array.from(this.#parts.members(), ({ connection }) => [connection, connection.bytesRead]));
    let lost = await this.#parts.findLost(silent, limits);
    if (lost === "all") lost = isPing ? "unknown" : await this.#parts.findLost(silent, limits);
    this.#isChecking = false;
    for (const [connection, bytes] of before) {
      if (connection.isLost || connection.isHeldBack || connection.bytesRead !== bytes) continue;
      const observation = this.#observations.get(connection);
      if (lost === "all") connection.destroy(new Error("the server is unreachable"));
      else if (observation === undefined) continue;
      else if (lost !== "unknown" && lost.has(connection))
        this.#lose(connection, observation, "the server no longer runs the statement");
      else if (silent.includes(connection)) observation.lastActivity = performance.now();
    }
  }
}
