/** The shared queue of asynchronous action calls. */

import type { EngineError } from "../../values/errors.ts";
import type { AutomationDatabase } from "../delivery/database.ts";
import type { CallResult, Instances, Queue, QueuedCall, Share, Taken } from "../delivery/queue.ts";
import { isRefusal } from "./log-error.ts";
import { finishStatement, nextStatement, takeStatement } from "./statements.ts";
import { looksWrapped, wrapped } from "./stored-json.ts";

export interface QueuedAction extends QueuedCall {
  /** JSON texts stored when the call was queued. */
  readonly input: string;
  readonly headers: string;
  readonly variables: string;
}

export interface ActionQueueParts {
  /** Statements must reject with `EngineError`. */
  readonly database: AutomationDatabase;
  readonly instances: Instances;
  /** Returns the JSON text to store instead of a response that the database rejects. */
  readonly refused: (reason: EngineError) => string;
}

export class ActionQueue implements Queue<QueuedAction> {
  readonly name = "actions";
  readonly logType = "async-action-process";
  readonly instances: Instances;
  readonly #parts: ActionQueueParts;

  constructor(parts: ActionQueueParts) {
    this.#parts = parts;
    this.instances = parts.instances;
  }

  async take(instance: string, shares: readonly Share[], limit: number): Promise<Taken<QueuedAction>> {
    const actions = shares.map(({ lane }) => lane);
    const counts = shares.map(({ count }) => count);
    const rows = await this.#parts.database.query(takeStatement, [instance, actions, counts, limit]);
    const calls = rows.map(
      ({ id, action, tries, input, headers, variables }): QueuedAction => ({
        id: String(id),
        lane: String(action),
        instance,
        tries: Number(tries),
        input: String(input),
        headers: String(headers),
        variables: String(variables),
      }),
    );
    return { calls, held: new Set(), unfinished: new Set() };
  }

  /**
   * Writes the results. After a rejected batch, each result is written alone, so that one bad value cannot fail the
   * other results.
   */
  async finish(results: readonly CallResult[]): Promise<void> {
    const distinct = results.map((result) => (looksWrapped(result.answer ?? "") ? inText(result) : result));
    try {
      await this.#write(distinct);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      for (const result of distinct) await this.#writeAlone(result);
    }
  }

  async wait(_instance: string, actions: readonly string[]): Promise<number | undefined> {
    const [row] = await this.#parts.database.query(nextStatement, [actions]);
    return typeof row?.seconds === "number" ? row.seconds : undefined;
  }

  async stopWaiting(): Promise<void> {}

  async #writeAlone(result: CallResult): Promise<void> {
    try {
      await this.#write([result]);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      await this.#writeInText(result);
    }
  }

  async #writeInText(result: CallResult): Promise<void> {
    try {
      await this.#write([inText(result)]);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      await this.#write([{ ...result, state: "error", answer: this.#parts.refused(error) }]);
    }
  }

  async #write(results: readonly CallResult[]): Promise<void> {
    await this.#parts.database.query(finishStatement, [
      results.map(({ id }) => id),
      results.map(({ instance }) => instance),
      results.map(({ state }) => state),
      results.map(({ answer }) => answer ?? null),
      results.map(({ waitSeconds }) => waitSeconds ?? 0),
    ]);
  }
}

const inText = ({ answer, ...result }: CallResult): CallResult => ({
  ...result,
  ...(answer !== undefined && { answer: wrapped(answer) }),
});
