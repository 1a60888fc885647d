/**
 * An operation runs on one generation from planning to its response. This is safe while the process runs, because
 * changes by other instances are loaded within about a second. It is not safe if the process is suspended (SIGSTOP, a
 * paused container, a suspended machine), because the permissions in the plan may have been revoked hours ago.
 *
 * `PinnedGeneration` detects a suspension since the operation began. It is checked at three points:
 * - result: `runOnCurrentGeneration` discards a result that was computed on a stale generation and retries the
 *   request on the current one, unless the operation has written;
 * - write: `beforeWrite` and `assertCurrent` refuse to send a statement or to call an action handler;
 * - socket: transports check `ResponseValidity` again immediately before they send the response of a query.
 */
import type { Continuity } from "../ports/continuity.ts";
import type { ResponseBuilder, ResponseValidity } from "../ports/graphql.ts";
import { EngineError } from "../values/errors.ts";
import type { ResponseText } from "../values/response-text.ts";
import type { Generation } from "./generation.ts";

export class PinnedGeneration implements ResponseValidity {
  readonly generation: Generation;
  readonly #current: () => Generation;
  readonly #continuity: Continuity;
  readonly #standstills: number;
  #isRefused = false;
  #hasWritten = false;

  /** @param generation the current generation, after `Continuity.settled` has resolved */
  constructor(generation: Generation, current: () => Generation, continuity: Continuity) {
    this.generation = generation;
    this.#current = current;
    this.#continuity = continuity;
    this.#standstills = continuity.standstills;
  }

  /** True if the operation has sent a statement that may write, or has called an action handler. */
  get hasWritten(): boolean {
    return this.#hasWritten;
  }

  /** True if the operation failed because its first write was refused, so that it has written nothing. */
  get mayRetry(): boolean {
    return this.#isRefused && !this.#hasWritten;
  }

  isCurrent(): true | Promise<boolean> {
    const settled = this.#continuity.settled();
    if (settled === undefined && this.#continuity.standstills === this.#standstills) return true;
    return this.#isCurrentOnce(settled);
  }

  /**
   * Checks that the generation is current.
   * @throws EngineError `conflict` if the generation was replaced while the process was suspended
   */
  assertCurrent(): Promise<void> | undefined {
    const current = this.isCurrent();
    return current === true ? undefined : this.#assert(current);
  }

  /**
   * Admits an auto-committed write or the call of an action handler.
   * @returns `undefined` if the write may be sent immediately
   * @throws EngineError as `assertCurrent` does
   */
  beforeWrite(): Promise<void> | undefined {
    const checked = this.assertCurrent();
    if (checked !== undefined) return checked.then(() => this.noteWrite());
    this.#hasWritten = true;
    return undefined;
  }

  /** Records a write, for example a committed transaction whose statements each passed `assertCurrent`. */
  noteWrite(): void {
    this.#hasWritten = true;
  }

  async #isCurrentOnce(settled: Promise<void> | undefined): Promise<boolean> {
    await settled;
    return this.#current() === this.generation;
  }

  async #assert(current: Promise<boolean>): Promise<void> {
    if (await current) return;
    this.#isRefused = true;
    throw suspendedConflict();
  }
}

export interface Attempt {
  readonly kind: "query" | "mutation";
  readonly pinned: PinnedGeneration;
  /** Computes the result; nothing has been sent to the client when this resolves. */
  readonly run: () => Promise<ResponseText>;
  /** Runs the request from its start. */
  readonly retryOnCurrentGeneration: () => Promise<ResponseText>;
}

/**
 * Runs an operation, and retries its request if the generation was replaced while the process was suspended. Operations
 * that have written are never retried: a mutation responds with the rows it wrote, a query fails.
 * @returns the JSON text of `data`
 * @throws EngineError `conflict` if a query has written and its result is stale
 */
export async function runOnCurrentGeneration(
  attempt: Attempt,
  response: ResponseBuilder | undefined,
): Promise<ResponseText> {
  const { kind, pinned } = attempt;
  let data: ResponseText;
  try {
    data = await attempt.run();
  } catch (error) {
    if (pinned.mayRetry) return retry(attempt, response);
    throw error;
  }
  if (kind === "query") {
    const current = pinned.isCurrent();
    if (current !== true && !(await current)) {
      if (pinned.hasWritten) throw suspendedConflict();
      return retry(attempt, response);
    }
    response?.validWhile?.(pinned);
  }
  return data;
}

/**
 * Retries the request. Discards errors of the first attempt, which may contain values that the role may no longer read.
 */
function retry(attempt: Attempt, response: ResponseBuilder | undefined): Promise<ResponseText> {
  response?.discardErrors?.();
  return attempt.retryOnCurrentGeneration();
}

function suspendedConflict(): EngineError {
  const message = "the metadata changed while this process was suspended, so the operation was not run";
  return new EngineError("conflict", "$", message, { status: 409 });
}
