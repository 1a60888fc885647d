/**
 * The other workers of a server that runs in several processes (`--workers`), and operations on all of them. A server
 * with one process has no siblings.
 */
import type { Socket } from "node:net";
import type { MetricReading } from "./metric-reading.ts";
import type { ClearedResponses } from "./response-cache.ts";

/** Applies metadata changes of other workers. */
export interface MetadataFollower {
  /** Returns the version of the metadata that this worker serves. */
  version(): number;
  /**
   * Reads and applies the stored metadata. Resolves when this worker serves it.
   * @param handed data that the changing worker has already read, as JSON
   */
  follow(handed: object | null): Promise<void>;
  /** Returns all data that this worker has read, to hand to a worker that is starting. */
  hand(): object | null;
}

export interface Siblings {
  /** Id of the instance, which all workers share. */
  readonly instance: string;
  /** Number of this worker, from 1. */
  readonly worker: number;
  readonly workers: number;
  /** True if this worker delivers events, schedules and asynchronous actions for the server. */
  readonly delivers: boolean;
  /** Resolves when the server or this worker has to stop. */
  readonly stopped: Promise<void>;

  /**
   * Marks the worker as ready to receive its share of connections.
   * @param take receives connections from which nothing has been read
   */
  open(take: (connection: Socket) => void): Promise<void>;

  /**
   * Runs a metadata change while no other worker runs one.
   * @param handed returns the data that this worker read for the change, to hand to the other workers
   * @returns the result of `work`, once every worker serves the stored metadata
   */
  changing<T>(work: () => Promise<T>, handed: () => object | null): Promise<T>;
  onFollow(follower: MetadataFollower): void;
  /** Returns the data that a serving worker has read; `null` if no worker is serving or the worker does not respond. */
  handed(): Promise<object | null>;

  /** Counts against a rate limit shared by all workers (`RateCounter`). */
  take(client: string, operations: number, perMinute: number): Promise<boolean>;

  /** Registers the metrics of this worker. */
  onRead(read: () => MetricReading): void;
  /** Returns the merged metrics of all workers, including workers that have ended. */
  readAll(): Promise<MetricReading>;

  /** Registers a function that clears responses in the memory of this worker. */
  onClear(clear: (cleared: ClearedResponses) => Promise<void>): void;
  /** Clears responses in all workers. Resolves when all have finished. */
  clearAll(cleared: ClearedResponses): Promise<void>;
}
