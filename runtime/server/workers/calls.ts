/** Calls between the primary and its workers. Arguments and results are JSON. */
import type { MetricReading } from "../../ports/metric-reading.ts";
import type { ClearedResponses } from "../../ports/response-cache.ts";

/** The first message to a worker. */
export interface WorkerStart<Settings> {
  /** Id of the instance, which all workers share. */
  readonly instance: string;
  /** Number of the worker, from 1. */
  readonly worker: number;
  readonly workers: number;
  readonly delivers: boolean;
  /** Settings that the program passes to each worker. */
  readonly settings: Settings;
}

/** Calls from a worker to the primary. */
export type PrimaryCalls = {
  /**
   * Marks the worker as ready to serve.
   * @param version served version of the metadata; `null` for an artifact, which never changes
   */
  readonly ready: (version: number | null) => Promise<void>;
  /** Announces that the worker ends. Resolves when it will receive no more connections. */
  readonly leave: () => void;
  /** Resolves when it is the worker's turn to change the metadata. */
  readonly beginChange: () => Promise<void>;
  /** Ends the turn. Resolves when all workers serve the stored metadata. */
  readonly endChange: (change: {
    /** The version that the worker now serves. */
    readonly version: number;
    /** Data that the worker has read for the change. */
    readonly handed: object | null;
  }) => Promise<void>;
  /** Returns the data that a serving worker has read. */
  readonly handed: () => Promise<object | null>;
  readonly takeRate: (taken: {
    readonly client: string;
    readonly operations: number;
    readonly perMinute: number;
  }) => boolean;
  readonly readAll: () => Promise<MetricReading>;
  readonly clearAll: (cleared: ClearedResponses) => Promise<void>;
};

/** Calls from the primary to a worker. */
export type WorkerCalls<Settings> = {
  readonly start: (start: WorkerStart<Settings>) => void;
  /** Serves the stored metadata. Resolves to the served version. */
  readonly follow: (handed: object | null) => Promise<number>;
  readonly hand: () => object | null;
  readonly read: () => MetricReading;
  readonly clear: (cleared: ClearedResponses) => Promise<void>;
  /** Starts a graceful shutdown of the worker. */
  readonly stop: () => void;
};
