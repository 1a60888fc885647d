/**
 * Runs asynchronous actions: calls their handlers, wakes clients that wait for a result, and deletes old results
 * (retention).
 */

import type { ActionCalls } from "../../execute/actions/action-calls.ts";
import type { Generation } from "../../execute/generation.ts";
import { ActionDelivery } from "../../jobs/actions/action-delivery.ts";
import type { ActionLog } from "../../jobs/actions/action-log.ts";
import type { AutomationDatabase } from "../../jobs/delivery/database.ts";
import { actionsChannel } from "../../jobs/delivery/server-instances.ts";
import type { Log } from "../../observe/logs/log.ts";
import { logDelivering } from "../../observe/logs/startup-steps.ts";
import type { Telemetry } from "../../ports/telemetry.ts";
import { messageOf } from "../../values/message-of.ts";
import { type AutomaticOptions, idleBy, undeliveredBy } from "./delivering.ts";

/** The metadata database, with notifications from other instances about calls. */
export interface ActionDatabase extends AutomationDatabase {
  /**
   * Listens to a channel.
   * @param onMessage receives each payload; `undefined` if notifications may have been missed
   * @returns a function that stops listening
   */
  listen(channel: string, onMessage: (payload?: string) => void): () => Promise<void>;
}

export interface AsyncActionsSettings {
  readonly options: AutomaticOptions;
  readonly log: Log;
  readonly telemetry: Pick<Telemetry, "tracer">;
  readonly database: ActionDatabase;
  readonly calls: ActionLog;
  readonly actions: ActionCalls;
  readonly generation: () => Pick<Generation, "asynchronousActions">;
}

export interface AsyncActions {
  /** Applies the current generation. */
  refresh(): void;
  /** Stops, and waits for calls in progress at most this long. Idempotent. */
  stop(milliseconds: number): Promise<void>;
}

export function openAsyncActions(settings: AsyncActionsSettings): AsyncActions {
  return new RunningActions(settings);
}

class RunningActions implements AsyncActions {
  readonly #settings: AsyncActionsSettings;
  readonly #delivery: ActionDelivery | undefined;
  readonly #clearing: NodeJS.Timeout | undefined;
  #stopListening: (() => Promise<void>) | undefined;
  #isStopped = false;

  constructor(settings: AsyncActionsSettings) {
    const { options, calls, log } = settings;
    this.#settings = settings;
    // Delivery is disabled if writes are not permitted or another instance delivers.
    const reason = undeliveredOf(options);
    logDelivering(log, "async_actions", reason);
    this.#delivery = reason === undefined ? deliveryOf(settings) : undefined;
    calls.onStarted(() => this.#delivery?.wake());
    if (idleBy(options) !== undefined || options.actionLogClearOlderThan === 0) return;
    this.#clearing = setInterval(() => void this.#clear(), options.actionLogClearIntervalSeconds * 1000);
    this.#clearing.unref();
    void this.#clear();
  }

  refresh(): void {
    if (this.#isStopped) return;
    const actions = this.#settings.generation().asynchronousActions();
    this.#delivery?.setActions(actions);
    if (actions.length > 0) this.#stopListening ??= this.#listen();
  }

  async stop(milliseconds: number): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#clearing);
    const stopListening = this.#stopListening;
    this.#stopListening = undefined;
    await Promise.all([this.#delivery?.stop(milliseconds), stopListening?.()]);
    this.#settings.calls.ends.stop();
  }

  #listen(): () => Promise<void> {
    const { database, calls } = this.#settings;
    return database.listen(actionsChannel, (payload) => {
      if (payload !== "ended") this.#delivery?.wake();
      if (payload !== "created") calls.ends.wake();
    });
  }

  async #clear(): Promise<void> {
    const { calls, options, log } = this.#settings;
    try {
      const deleted = await calls.clear(options.actionLogClearOlderThan, options.actionLogClearBatchSize);
      if (deleted > 0) log.info("async-action-process", { message: "Cleared old calls from the action log", deleted });
    } catch (error) {
      const message = messageOf(error);
      log.warn("async-action-process", { message: "Failed to clear the action log", reason: message });
    }
  }
}

function undeliveredOf(options: AutomaticOptions): string | undefined {
  return undeliveredBy(options, {
    "--async-actions-fetch-interval": options.asyncActionsFetchIntervalMilliseconds,
    "--async-actions-fetch-batch-size": options.asyncActionsFetchBatchSize,
  });
}

function deliveryOf({ options, log, telemetry, database, calls, actions }: AsyncActionsSettings): ActionDelivery {
  return new ActionDelivery({
    tracer: telemetry.tracer,
    database,
    actions,
    maxConcurrentCalls: options.eventsHttpPoolSize,
    batchSize: options.asyncActionsFetchBatchSize,
    intervalMilliseconds: options.asyncActionsFetchIntervalMilliseconds,
    log,
    onEnded: () => calls.ends.wake(),
  });
}
