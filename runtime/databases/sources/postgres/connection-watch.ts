/**
 * Looks at the statements that run, a few times a second: cancels those that nobody waits for, ends the connections of
 * those that outlive their time limit, and finds out whether a server is still at work on those that are silent. Packets
 * may vanish without a word, and what the operating system notices of that comes after a quarter of an hour.
 */
import type { PostgresConnection } from "./connection.ts";
import type { ConnectionTimes } from "./connection-times.ts";
import type { Use } from "./taker-queue.ts";

/** A connection of the pool, and what it has been taken for, if it is. */
export interface Member {
  readonly connection: PostgresConnection;
  readonly use: Use | undefined;
}

export interface WatchParts {
  readonly times: ConnectionTimes;
  readonly members: () => Iterable<Member>;
  /** Those of these connections that lead nowhere, `all` when the server cannot be reached. @throws never */
  readonly findLost: (
    connections: readonly PostgresConnection[],
    times: ConnectionTimes,
  ) => Promise<ReadonlySet<PostgresConnection> | "all" | "unknown">;
  /** A connection was lost without a word, with a statement that was sent then. */
  readonly onLost: (sent: number) => void;
}

/** What is known of a statement that runs. Moments are those of `performance.now`. */
interface Sighting {
  readonly statement: object;
  readonly since: number;
  bytes: number;
  /** When there was a sign of life, or its server was asked. */
  heard: number;
  cancelled: number | undefined;
}

export class ConnectionWatch {
  readonly #parts: WatchParts;
  readonly #sightings = new WeakMap<PostgresConnection, Sighting>();
  readonly #pinged = new WeakMap<PostgresConnection, number>();
  #isChecking = false;

  constructor(parts: WatchParts) {
    this.#parts = parts;
  }

  look(now: number): void {
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
      const sighting = this.#sight(connection, statement, now);
      if (connection.isHeldBack) {
        // The server is silent because it is not read from.
        sighting.heard = now;
        if (use.caller?.aborted) {
          // It waits to send, and would not hear of a cancellation.
          connection.destroy(new Error("nobody waits for the answer any more"));
          continue;
        }
      }
      this.#limit(connection, use, sighting, now);
      const isPing = use.kind === "ping";
      if (now - sighting.heard >= (isPing ? pingSilence : silence)) (isPing ? pings : silent).push(connection);
    }
    if (this.#isChecking) return;
    if (pings.length > 0) void this.#check(pings, "pings");
    else if (silent.length > 0) void this.#check(silent, "statements");
  }

  #sight(connection: PostgresConnection, statement: object, now: number): Sighting {
    const bytes = connection.bytesRead;
    let sighting = this.#sightings.get(connection);
    if (sighting?.statement !== statement) {
      sighting = { statement, since: now, bytes, heard: now, cancelled: undefined };
      this.#sightings.set(connection, sighting);
    }
    if (sighting.bytes !== bytes) {
      sighting.bytes = bytes;
      sighting.heard = now;
    }
    return sighting;
  }

  #limit(connection: PostgresConnection, { caller, limitMilliseconds }: Use, sighting: Sighting, now: number): void {
    const { cancel } = this.#parts.times;
    if (caller?.aborted && sighting.cancelled === undefined) {
      sighting.cancelled = now;
      void connection.cancel(cancel);
    }
    const limit =
      sighting.cancelled ?? (limitMilliseconds === undefined ? undefined : sighting.since + limitMilliseconds);
    if (limit === undefined || now <= limit + cancel) return;
    this.#lose(connection, sighting, "the statement did not end when it had to");
  }

  #lose(connection: PostgresConnection, { since }: Sighting, reason: string): void {
    connection.destroy(new Error(reason));
    this.#parts.onLost(since);
  }

  #ping(connection: PostgresConnection, now: number): void {
    if (now - (this.#pinged.get(connection) ?? 0) < this.#parts.times.ping) return;
    this.#pinged.set(connection, now);
    connection.ping();
  }

  /** One failure may be a packet that was lost. Those of pings decide about nobody else. */
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
      const sighting = this.#sightings.get(connection);
      if (lost === "all") connection.destroy(new Error("the server cannot be reached any more"));
      else if (sighting === undefined) continue;
      else if (lost !== "unknown" && lost.has(connection))
        this.#lose(connection, sighting, "the server does not run the statement any more");
      else if (silent.includes(connection)) sighting.heard = performance.now();
    }
  }
}
