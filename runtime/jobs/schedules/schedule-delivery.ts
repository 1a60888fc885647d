/**
 * Delivers cron events and one-off events from two queues of the metadata database, with the delivery loop of events.
 */

import type { Options } from "../../config/option-table.ts";
import type { CronTriggerDefinition } from "../../model/definitions/schedules/cron-trigger.ts";
import type { Log } from "../../observe/logs/log.ts";
import type { HttpClient } from "../../outbound/http-client.ts";
import type { TlsAllow } from "../../outbound/tls-allowlist.ts";
import { noTelemetry, type Telemetry } from "../../ports/telemetry.ts";
import { EngineError } from "../../values/errors.ts";
import type { AutomationDatabase } from "../delivery/database.ts";
import { type DeliverSettings, deliver, type Lane, resultOf } from "../delivery/deliver.ts";
import { logDelivery } from "../delivery/delivery-log.ts";
import { DeliveryLoop, type DeliveryLoopParts } from "../delivery/delivery-loop.ts";
import { errorResponse, requestText } from "../delivery/invocation-log.ts";
import type { LeaseParts } from "../delivery/lease.ts";
import type { CallResult } from "../delivery/queue.ts";
import { serverInstances } from "../delivery/server-instances.ts";
import { Slots } from "../delivery/slots.ts";
import { meteredClient, webhookClient } from "../delivery/webhook-client.ts";
import { type CronLane, cronDelivery, cronLane, cronPayload } from "./cron-lanes.ts";
import { type OneOffEvent, oneOffEvent } from "./one-off.ts";
import { type ScheduledCall, ScheduleQueue } from "./queue.ts";
import { type OperationServices, runScheduledOperation } from "./run-operation.ts";
import { type EventKind, oneOffLane } from "./statements.ts";
import { verdictOn } from "./verdict.ts";

export interface ScheduleDeliverySettings {
  readonly database: AutomationDatabase;
  readonly options: Pick<
    Options,
    | "eventsHttpPoolSize"
    | "outboundAllow"
    | "eventsFetchBatchSize"
    | "eventsStoredResponseBytes"
    | "redactScheduledTriggerLogs"
    | "enableTriggersErrorLogLevel"
  >;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Product version. */
  readonly version: string;
  readonly log: Log;
  readonly operations: OperationServices;
  /** Returns the hosts whose certificates are not verified. */
  readonly uncheckedHosts: () => readonly TlsAllow[];
  /** Absent if telemetry is disabled. */
  readonly telemetry?: Telemetry;
  /** For tests. */
  readonly lease?: Pick<LeaseParts, "clocks" | "times">;
}

/**
 * Polling interval in milliseconds, which bounds the delay for events created by other instances. Due times are known
 * in advance.
 */
const interval = 1000;
const tenMinutes = 10 * 60 * 1000;

export class ScheduleDelivery {
  readonly #settings: ScheduleDeliverySettings;
  readonly #client: HttpClient;
  readonly #delivering: DeliverSettings;
  readonly #cron: DeliveryLoop<ScheduledCall, CronLane>;
  readonly #oneOff: DeliveryLoop<ScheduledCall, Lane>;
  readonly #taken = { cron: 0, one_off: 0, fetches: 0 };
  readonly #logTimer: NodeJS.Timeout;
  #single: readonly string[] = [];

  constructor(settings: ScheduleDeliverySettings) {
    const { options, environment, version, log, uncheckedHosts, telemetry = noTelemetry } = settings;
    const { meters } = telemetry;
    this.#settings = settings;
    this.#client = webhookClient(options.eventsHttpPoolSize, uncheckedHosts, options.outboundAllow);
    this.#delivering = {
      client: meteredClient(this.#client, meters.scheduledRequestBytes, meters.scheduledResponseBytes),
      environment,
      version,
      storedResponseBytes: options.eventsStoredResponseBytes,
      logVersion: "1",
      now: () => Date.now(),
      random: () => Math.random(),
      tracer: telemetry.tracer,
      spanName: (lane) => (lane === oneOffLane ? "Scheduled event" : `Scheduled trigger: ${lane}`),
      report: (lane, made, outcome) => {
        const invocations = lane === oneOffLane ? meters.oneOffInvocations : meters.cronInvocations;
        invocations.add(1, { status: outcome.kind === "delivered" ? "success" : "failed" });
        const { redactScheduledTriggerLogs: redact, enableTriggersErrorLogLevel: failuresAreErrors } = options;
        const name = lane === oneOffLane ? undefined : lane;
        logDelivery(name, made, outcome, { log, type: "scheduled-trigger", redact, failuresAreErrors });
      },
    };
    const slots = new Slots(options.eventsHttpPoolSize);
    this.#cron = this.#loop("cron", slots, (event, lane) => this.#deliverCron(event, lane));
    this.#oneOff = this.#loop("one_off", slots, (event) => this.#deliverOneOff(event));
    this.#oneOff.setLanes([{ name: oneOffLane, isOrdered: false }]);
    this.#logTimer = setInterval(() => this.#logTaken(), tenMinutes);
    this.#logTimer.unref();
  }

  start(): void {
    this.#cron.start();
    this.#oneOff.start();
  }

  /** Sets the cron triggers to deliver. */
  setTriggers(triggers: readonly CronTriggerDefinition[]): void {
    this.#single = triggers.filter(({ overlap }) => overlap === "skip").map(({ name }) => name);
    this.#cron.setLanes(triggers.map(cronLane));
  }

  /** Polls immediately: cron events have been created. */
  wakeCron(): void {
    this.#cron.wake();
  }

  /** Polls immediately: a new or redelivered event may be due earlier than the known ones. */
  wake(): void {
    this.#oneOff.wake();
    this.#cron.wake();
  }

  /** Waits up to `milliseconds` for deliveries in flight, then releases the remaining events. Never rejects. */
  async stop(milliseconds: number): Promise<void> {
    clearInterval(this.#logTimer);
    await Promise.all([this.#cron.stop(milliseconds), this.#oneOff.stop(milliseconds)]);
    await this.#client.close();
  }

  #loop<Of extends Lane>(
    kind: EventKind,
    slots: Slots,
    deliverEvent: DeliveryLoopParts<ScheduledCall, Of>["deliver"],
  ): DeliveryLoop<ScheduledCall, Of> {
    const { database, options, log, lease, telemetry = noTelemetry } = this.#settings;
    const { cronProcessed, oneOffProcessed } = telemetry.meters;
    const processed = kind === "cron" ? cronProcessed : oneOffProcessed;
    const instances = serverInstances(database);
    return new DeliveryLoop<ScheduledCall, Of>({
      queue: new ScheduleQueue({ kind, database, instances, single: () => this.#single }),
      slots,
      async deliver(event, lane) {
        const result = await deliverEvent(event, lane);
        if (result.state === "delivered") processed.add(1, { status: "success" });
        if (result.state === "error") processed.add(1, { status: "failed" });
        return result;
      },
      batchSize: options.eventsFetchBatchSize,
      intervalMilliseconds: interval,
      log,
      onTaken: (events) => {
        if (events === undefined) return;
        this.#taken[kind] += events;
        this.#taken.fetches++;
      },
      ...(lease && { lease }),
    });
  }

  async #deliverCron(event: ScheduledCall, lane: CronLane): Promise<CallResult> {
    const { trigger } = lane;
    const verdict = verdictOn(event, trigger);
    if (verdict.kind === "dead") return dead(event, cronPayload(event, trigger), verdict.reason);
    if (verdict.kind === "wait") return waiting(event);
    if (trigger.operation === undefined) return deliver(event, cronDelivery(event, lane), this.#delivering);
    const start = performance.now();
    const outcome = await runScheduledOperation(trigger, trigger.operation, this.#settings.operations);
    if (outcome.kind !== "unmade") {
      this.#delivering.report(event.lane, cronDelivery(event, lane), outcome, (performance.now() - start) / 1000);
    }
    return resultOf(event, outcome, trigger.webhook.retry, this.#delivering.random);
  }

  async #deliverOneOff(event: ScheduledCall): Promise<CallResult> {
    const read = readEvent(event);
    if (read instanceof EngineError) return unreadable(event, read);
    const { toleranceSeconds, ...made } = read;
    const verdict = verdictOn(event, { missed: "tolerance", overlap: "allow", toleranceSeconds });
    if (verdict.kind === "dead") return dead(event, made.attempt.text, verdict.reason);
    return deliver(event, made, this.#delivering);
  }

  /** Logs the number of events claimed since the last line, at `debug` if there were none. */
  #logTaken(): void {
    const { cron, one_off, fetches } = this.#taken;
    Object.assign(this.#taken, { cron: 0, one_off: 0, fetches: 0 });
    const level = cron + one_off > 0 ? "info" : "debug";
    this.#settings.log[level]("scheduled-trigger-process", {
      num_cron_events_fetched: cron,
      num_one_off_scheduled_events_fetched: one_off,
      num_fetches: fetches,
    });
  }
}

function readEvent(event: ScheduledCall): OneOffEvent | EngineError {
  try {
    return oneOffEvent(event);
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
}

/** Returns the result of an event with an invalid row. Its log contains the reason. */
function unreadable({ id, lane, instance }: ScheduledCall, { message }: EngineError): CallResult {
  const request = requestText({ headers: [], payload: "null" }, "1");
  return { id, lane, instance, state: "error", log: { status: null, request, response: errorResponse(message, "1") } };
}

/** Pause in seconds of a redelivered event while another delivery of its trigger has not ended. */
const busyPause = 5;

function waiting({ id, lane, instance }: ScheduledCall): CallResult {
  return { id, lane, instance, state: "free", waitSeconds: busyPause };
}

function dead({ id, lane, instance }: ScheduledCall, payload: string, reason: string | undefined): CallResult {
  const result = { id, lane, instance, state: "dead" } as const;
  if (reason === undefined) return result;
  const request = requestText({ headers: [], payload }, "1");
  return { ...result, log: { status: null, request, response: errorResponse(reason, "1") } };
}
