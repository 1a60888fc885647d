/**
 * Writes results of calls in batches: results that arrive during a write go into the next one. Failed writes are
 * retried until the locks of the calls expire.
 */

import type { Log } from "../../observe/logs/log.ts";
import { failureReason } from "./failure-reason.ts";
import { errorResponse } from "./invocation-log.ts";
import type { CallResult, ProcessLogType } from "./queue.ts";
import { pause } from "./sleep.ts";

export interface ResultWriterParts {
  readonly finish: (results: readonly CallResult[]) => Promise<void>;
  readonly onWritten: (results: readonly CallResult[]) => void;
  /** Name of the queue, for the log. */
  readonly name: string;
  readonly logType: ProcessLogType;
  readonly log: Log;
}

/** Maximum number of results in one write. */
const maxResults = 500;
/** Maximum total length of the texts in one write, in characters. */
const maxTextLength = 4 * 1024 * 1024;
/** Initial and maximum retry delay in milliseconds. */
const firstPause = 100;
const maxPause = 5000;
/** Age in milliseconds after which a result is dropped. The call is repeated after its lock has expired. */
const maxAgeMilliseconds = 5 * 60 * 1000;
/**
 * Number of failures after which results are written one at a time, so that one bad value cannot fail the other
 * results.
 */
const maxBatchFailures = 3;

interface Pending {
  readonly result: CallResult;
  readonly since: number;
}

export class ResultWriter {
  readonly #parts: ResultWriterParts;
  #pending: Pending[] = [];
  #writing: Promise<void> | undefined;
  #isClosed = false;

  constructor(parts: ResultWriterParts) {
    this.#parts = parts;
  }

  /** Number of results not yet written. */
  get size(): number {
    return this.#pending.length;
  }

  /** Returns the results not yet written. */
  pending(): readonly CallResult[] {
    return this.#pending.map(({ result }) => result);
  }

  add(result: CallResult): void {
    if (this.#isClosed) return;
    this.#pending.push({ result, since: performance.now() });
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
  }

  /** Resolves when all results have been written. */
  async drained(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  /** Discards pending results: the locks of the instance have been released, so none would be stored. */
  close(): void {
    this.#isClosed = true;
    this.#pending = [];
  }

  async #writeAll(): Promise<void> {
    // Results that arrive in the same turn are written together.
    await Promise.resolve();
    let failures = 0;
    let batchLimit = maxResults;
    while (this.#pending.length > 0) {
      const count = this.#batchSize(batchLimit);
      const batch = this.#pending.slice(0, count);
      try {
        await this.#parts.finish(batch.map(({ result }) => result));
      } catch (error) {
        if (this.#isClosed) return;
        failures++;
        if (failures >= maxBatchFailures) batchLimit = 1;
        this.#failed(batch, failures, error);
        await pause(Math.min(maxPause, firstPause * 2 ** failures));
        continue;
      }
      this.#pending.splice(0, count);
      // Most failures are lost connections, so the batch size grows again quickly.
      batchLimit = Math.min(maxResults, batchLimit * 2);
      if (batchLimit === maxResults || this.#pending.length === 0) failures = 0;
      this.#parts.onWritten(batch.map(({ result }) => result));
    }
  }

  #batchSize(results: number): number {
    let text = 0;
    const count = Math.min(results, this.#pending.length);
    for (let i = 0; i < count; i++) {
      const { log, answer = "" } = this.#pending[i]?.result ?? {};
      text += (log?.request.length ?? 0) + (log?.response.length ?? 0) + answer.length;
      if (text > maxTextLength) return Math.max(1, i);
    }
    return count;
  }

  #failed(batch: readonly Pending[], failures: number, error: unknown): void {
    const { log, name, logType } = this.#parts;
    const reason = failureReason(error);
    if (failures === 1) {
      log.warn(logType, { message: "Failed to store results; retrying", queue: name, reason });
    }
    const [only] = batch;
    if (only === undefined || batch.length > 1 || failures <= maxBatchFailures) return;
    if (performance.now() - only.since > maxAgeMilliseconds) {
      const { id, lane, state } = only.result;
      log.error(logType, {
        message: "Dropped a result that could not be stored",
        queue: name,
        id,
        lane,
        state,
        reason,
      });
      this.#pending.shift();
    } else {
      // The database may reject the stored texts of this attempt. Retry without them, after the other results.
      this.#pending.shift();
      this.#pending.push({ ...only, result: withoutTexts(only.result) });
    }
  }
}

function withoutTexts(result: CallResult): CallResult {
  const { log } = result;
  if (log === undefined) return result;
  return {
    ...result,
    log: {
      status: log.status,
      request: "{}",
      response: errorResponse("the request and response could not be stored", "2"),
    },
  };
}
