/** What the primary and its workers ask each other. Arguments and answers are JSON. */
import type { MetricReading } from "../../ports/metric-reading.ts";
import type { ClearedResponses } from "../../ports/response-cache.ts";

/** What a worker is told first. */
export interface WorkerStart<Settings> {
  /** From 1. */
  readonly worker: number;
  readonly workers: number;
  readonly delivers: boolean;
  /** What the program hands to each of its workers. */
  readonly settings: Settings;
}

/** Asked by a worker. */
export type PrimaryCalls = {
  /**
   * The worker can serve.
   * @param version of the metadata that it serves; `null`: of an artifact, which never changes
   */
  readonly ready: (version: number | null) => Promise<void>;
  /** The worker ends by itself: answered when no connection will be given to it any more. */
  readonly leave: () => void;
  /** Answered when it is this worker's turn to change the metadata. */
  readonly beginChange: () => Promise<void>;
  /**
   * Its turn is over; answered when all workers serve what is stored.
   */
  readonly endChange: (change: {
    /** That it serves now. */
    readonly version: number;
    /** What it has read for the change. */
    readonly handed: object | null;
  }) => Promise<void>;
  /** What a worker that serves has read. */
  readonly handed: () => Promise<object | null>;
  readonly takeRate: (taken: {
    readonly client: string;
    readonly operations: number;
    readonly perMinute: number;
  }) => boolean;
  readonly readAll: () => Promise<MetricReading>;
  readonly clearAll: (cleared: ClearedResponses) => Promise<void>;
};

/** Asked by the primary. */
export type WorkerCalls<Settings> = {
  readonly start: (start: WorkerStart<Settings>) => void;
  /** Answered with the version that is served when it is the stored one. */
  readonly follow: (handed: object | null) => Promise<number>;
  readonly hand: () => object | null;
  readonly read: () => MetricReading;
  readonly clear: (cleared: ClearedResponses) => Promise<void>;
  /** The worker is to end as a server ends: what is under way may finish. */
  readonly stop: () => void;
};
