/** Delivers the calls of asynchronous actions: a queue of the metadata database, by the same loop as events. */

import type { ActionDefinition } from "../../model/definitions/actions/action.ts";
import type { Log } from "../../observe/logs/log.ts";
import type { Tracer } from "../../ports/telemetry.ts";
import { EngineError } from "../../values/errors.ts";
import type { AutomationDatabase } from "../delivery/database.ts";
import type { Lane } from "../delivery/deliver.ts";
import { DeliveryLoop } from "../delivery/delivery-loop.ts";
import type { LeaseParts } from "../delivery/lease.ts";
import { serverInstances } from "../delivery/server-instances.ts";
import { Slots } from "../delivery/slots.ts";
import { type ActionHandlers, deliverAction, errorText } from "./deliver.ts";
import { throughDatabaseErrors } from "./log-error.ts";
import { ActionQueue, type QueuedAction } from "./queue.ts";

export interface ActionDeliverySettings {
  readonly database: AutomationDatabase;
  readonly actions: ActionHandlers;
  /** Most calls that are under way. */
  readonly callsAtOnce: number;
  /** Most calls that are taken at once. */
  readonly batchSize: number;
  readonly intervalMilliseconds: number;
  readonly log: Log;
  readonly tracer: Tracer;
  /** Told when calls have ended here. */
  readonly onEnded: () => void;
  /** For tests. */
  readonly lease?: Pick<LeaseParts, "clocks" | "times">;
}

interface ActionLane extends Lane {
  readonly action: ActionDefinition;
}

export class ActionDelivery {
  readonly #loop: DeliveryLoop<QueuedAction, ActionLane>;
  #hasStarted = false;

  constructor(settings: ActionDeliverySettings) {
    const { actions, callsAtOnce, batchSize, intervalMilliseconds, log, tracer, onEnded, lease } = settings;
    const database = throughDatabaseErrors(settings.database);
    const reportBug = (error: unknown): void => log.error("unhandled-internal-error", { error });
    const refused = ({ message }: EngineError): string =>
      errorText(new EngineError("unexpected", "$", "the answer cannot be stored", { internal: { error: message } }));
    this.#loop = new DeliveryLoop<QueuedAction, ActionLane>({
      queue: new ActionQueue({ database, instances: serverInstances(database), refused }),
      slots: new Slots(callsAtOnce),
      deliver: (call, { action }) => deliverAction(call, action, { actions, tracer, reportBug }),
      batchSize,
      intervalMilliseconds,
      log,
      onWritten: onEnded,
      isBacklogUsual: true,
      ...(lease && { lease }),
    });
  }

  /** Those whose calls are made from now on. Where there has never been any, nothing is asked of the database. */
  setActions(actions: readonly ActionDefinition[]): void {
    this.#loop.setLanes(actions.map((action) => ({ name: action.name, isOrdered: false, action })));
    if (this.#hasStarted || actions.length === 0) return;
    this.#hasStarted = true;
    this.#loop.start();
  }

  /** A call may have been asked for. */
  wake(): void {
    this.#loop.wake();
  }

  /** Waits so long for calls under way, and gives back the rest. Never rejects. */
  async stop(milliseconds: number): Promise<void> {
    if (this.#hasStarted) await this.#loop.stop(milliseconds);
  }
}
