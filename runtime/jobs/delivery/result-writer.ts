/**
 * Writes what became of calls: everything that was finished while one write ran goes into the next. What cannot be
 * written is tried again for as long as it is worth anything.
 */
import type { Log } from "../../observe/logs/log.ts";
import { EngineError } from "../../values/errors.ts";
import { errorResponse } from "./invocation-log.ts";
import type { CallResult, ProcessLogType } from "./queue.ts";
import { pause } from "./sleep.ts";

export interface ResultWriterParts {
  readonly finish: (results: readonly CallResult[]) => Promise<void>;
  readonly onWritten: (results: readonly CallResult[]) => void;
  /** Of the queue, for the log. */
  readonly name: string;
  readonly logType: ProcessLogType;
  readonly log: Log;
}

/** Of one write. */
const mostResults = 500;
/** In characters, of one write. */
const mostText = 4 * 1024 * 1024;
/** In milliseconds. */
const firstPause = 100;
const longestPause = 5000;
/** In milliseconds: then the call is made again after its lock has been given up. */
const patience = 5 * 60 * 1000;
/** Failures until results are written one by one, so that one that the database refuses keeps no other. */
const failuresTogether = 3;

interface Pending {
  readonly result: CallResult;
  readonly since: number;
}

export class ResultWriter {
  readonly #parts: ResultWriterParts;
  #pending: Pending[] = [];
  #writing: Promise<void> | undefined;
  #isGivenUp = false;

  constructor(parts: ResultWriterParts) {
    this.#parts = parts;
  }

  /** How many are not written yet. */
  get size(): number {
    return this.#pending.length;
  }

  /** Those that are not written yet. */
  pending(): readonly CallResult[] {
    return this.#pending.map(({ result }) => result);
  }

  add(result: CallResult): void {
    if (this.#isGivenUp) return;
    this.#pending.push({ result, since: performance.now() });
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
  }

  /** Resolves when nothing is left to write. */
  async drained(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  /** Writes nothing more: the locks of the instance are given back, so that no result counts. */
  giveUp(): void {
    this.#isGivenUp = true;
    this.#pending = [];
  }

  async #writeAll(): Promise<void> {
    // What is finished in the same turn is written together.
    await Promise.resolve();
    let failures = 0;
    let most = mostResults;
    while (this.#pending.length > 0) {
      const count = this.#batchSize(most);
      const batch = this.#pending.slice(0, count);
      try {
        await this.#parts.finish(batch.map(({ result }) => result));
      } catch (error) {
        if (this.#isGivenUp) return;
        failures++;
        if (failures >= failuresTogether) most = 1;
        this.#failed(batch, failures, error);
        await pause(Math.min(longestPause, firstPause * 2 ** failures));
        continue;
      }
      this.#pending.splice(0, count);
      // Most failures are those of a connection: what waited meanwhile is soon written together again.
      most = Math.min(mostResults, most * 2);
      if (most === mostResults || this.#pending.length === 0) failures = 0;
      this.#parts.onWritten(batch.map(({ result }) => result));
    }
  }

  #batchSize(results: number): number {
    let text = 0;
    const most = Math.min(results, this.#pending.length);
    for (let i = 0; i < most; i++) {
      const { log, answer = "" } = this.#pending[i]?.result ?? {};
      text += (log?.request.length ?? 0) + (log?.response.length ?? 0) + answer.length;
      if (text > mostText) return Math.max(1, i);
    }
    return most;
  }

  #failed(batch: readonly Pending[], failures: number, error: unknown): void {
    const { log, name, logType } = this.#parts;
    const reason = error instanceof EngineError ? { code: error.code, message: error.message } : error;
    if (failures === 1) {
      log.warn(logType, { message: "Results could not be written, and will be", queue: name, reason });
    }
    const [only] = batch;
    if (only === undefined || batch.length > 1 || failures <= failuresTogether) return;
    if (performance.now() - only.since > patience) {
      const { id, lane, state } = only.result;
      log.error(logType, { message: "A result was given up", queue: name, id, lane, state, reason });
      this.#pending.shift();
    } else {
      // It may be what is stored of the attempt that the database refuses. The others have their turns first.
      this.#pending.shift();
      this.#pending.push({ ...only, result: withoutTexts(only.result) });
    }
  }
}

function withoutTexts(result: CallResult): CallResult {
  const { log } = result;
  if (log === undefined) return result;
  return { ...result, log: { status: log.status, request: "{}", response: errorResponse("could not be stored", "2") } };
}
