/**
 * The other workers of a server that runs in several processes (`--workers`), and what all of them do together. A server
 * of one process has none.
 */
import type { Socket } from "node:net";
import type { MetricReading } from "./metric-reading.ts";
import type { ClearedResponses } from "./response-cache.ts";

/** Serves metadata that others change. */
export interface MetadataFollower {
  /** That is served now. */
  version(): number;
  /** Serves what is stored; resolves when that is so. @param handed what the worker that changed it has read, as JSON */
  follow(handed: object | null): Promise<void>;
  /** All that this worker has read, for one that starts. */
  hand(): object | null;
}

export interface Siblings {
  /** Which worker this process is, from 1. */
  readonly worker: number;
  readonly workers: number;
  /** Whether this worker delivers events, schedules and asynchronous actions for the whole server. */
  readonly delivers: boolean;
  /** Resolves when the server is to end, or this worker alone. */
  readonly stopped: Promise<void>;

  /**
   * The worker is ready: it gets its share of the connections from now on.
   * @param take called with each of them; nothing of it has been read
   */
  open(take: (connection: Socket) => void): Promise<void>;

  /**
   * Changes the metadata when no other worker does.
   * @param handed what this worker has read for it, for those that follow
   * @returns what `work` gave, when every worker serves what is stored
   */
  changing<T>(work: () => Promise<T>, handed: () => object | null): Promise<T>;
  onFollow(follower: MetadataFollower): void;
  /** What a worker that serves has read; `null`: there is none, or it does not say. */
  handed(): Promise<object | null>;

  /** Counts against a rate limit, for all workers (`RateCounter`). */
  take(client: string, operations: number, perMinute: number): Promise<boolean>;

  /** @param read the metrics of this worker */
  onRead(read: () => MetricReading): void;
  /** The metrics of all workers, also of those that are gone. */
  readAll(): Promise<MetricReading>;

  /** @param clear takes answers from the memory of this worker */
  onClear(clear: (cleared: ClearedResponses) => Promise<void>): void;
  /** Resolves when every worker has cleared its answers. */
  clearAll(cleared: ClearedResponses): Promise<void>;
}
