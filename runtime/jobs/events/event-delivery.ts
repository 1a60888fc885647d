/** Delivers the events of all sources, for whatever triggers are defined. Wiring: one loop per source. */

import type { Options } from "../../config/option-table.ts";
import type { DatabaseSource } from "../../databases/sources/source.ts";
import type { EventTriggerDefinition } from "../../model/definitions/events/event-trigger.ts";
import type { Log } from "../../observe/logs/log.ts";
import type { HttpClient } from "../../outbound/http-client.ts";
import type { TlsAllow } from "../../outbound/tls-allowlist.ts";
import { noMeters } from "../../ports/metrics.ts";
import { noTelemetry, type Telemetry } from "../../ports/telemetry.ts";
import { type DeliverSettings, deliver } from "../delivery/deliver.ts";
import { logDelivery } from "../delivery/delivery-log.ts";
import { DeliveryLoop } from "../delivery/delivery-loop.ts";
import type { LeaseParts } from "../delivery/lease.ts";
import { meteredClient } from "../delivery/metered-client.ts";
import { atMost } from "../delivery/sleep.ts";
import { Slots } from "../delivery/slots.ts";
import { webhookClient } from "../delivery/webhook-client.ts";
import { BacklogWatch } from "./backlog-watch.ts";
import { EventMeter } from "./event-meter.ts";
import { FetchLog } from "./fetch-log.ts";
import { deliveryOf, type EventLane, laneOf } from "./lanes.ts";
import { EventQueue, hasEventQueue, type QueuedEvent } from "./queue.ts";

export interface EventDeliverySettings {
  readonly options: Pick<
    Options,
    | "eventsHttpPoolSize"
    | "outboundAllow"
    | "eventsFetchIntervalMilliseconds"
    | "eventsFetchBatchSize"
    | "eventsStoredResponseBytes"
    | "redactEventTriggerLogs"
    | "enableTriggersErrorLogLevel"
    | "gracefulShutdownTimeoutSeconds"
  >;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Of the product. */
  readonly version: string;
  readonly log: Log;
  /** Hosts whose certificates are not checked, as of now. */
  readonly uncheckedHosts: () => readonly TlsAllow[];
  /** Absent: nobody is told. */
  readonly telemetry?: Telemetry;
  /** For tests. */
  readonly lease?: Pick<LeaseParts, "clocks" | "times">;
}

/** A source with event triggers whose tables are installed. */
export interface DeliveredSource {
  readonly kind: string;
  readonly database: DatabaseSource;
  readonly triggers: readonly EventTriggerDefinition[];
}

interface SourceDelivery {
  readonly database: DatabaseSource;
  readonly loop: DeliveryLoop<QueuedEvent, EventLane>;
  readonly queue: EventQueue;
  triggers: ReadonlyMap<string, EventTriggerDefinition>;
}

export class EventDelivery {
  readonly #settings: EventDeliverySettings;
  readonly #client: HttpClient;
  readonly #slots: Slots;
  readonly #fetches: FetchLog;
  readonly #sources = new Map<string, SourceDelivery>();
  /** Of sources that are served no more: when the results of their deliveries are written, by their databases. */
  readonly #ending = new Map<DatabaseSource, Promise<void>>();
  #stopping: Promise<void> | undefined;

  constructor(settings: EventDeliverySettings) {
    const { options, log, uncheckedHosts } = settings;
    this.#settings = settings;
    this.#backlog.tell(settings.telemetry?.meters ?? noMeters);
    this.#slots = new Slots(options.eventsHttpPoolSize);
    this.#fetches = new FetchLog(log);
    this.#client = webhookClient(options.eventsHttpPoolSize, uncheckedHosts, options.outboundAllow);
  }

  /** Whatever reads the metrics is told what was found before; the databases are asked for the next time. */
  readonly #backlog = new BacklogWatch(() => this.#sources.values());

  /**
   * What is delivered from now on. Sources that are not named any more give back what they have not sent, and wait for what
   * they have, as long as at a shutdown.
   */
  setSources(sources: readonly DeliveredSource[]): void {
    if (this.#stopping) return;
    const served = new Map(
      sources
        .filter(({ kind, triggers }) => hasEventQueue(kind) && triggers.length > 0)
        .map((source) => [source.database.name, source]),
    );
    for (const [name, delivery] of this.#sources) {
      if (served.get(name)?.database === delivery.database) continue;
      this.#sources.delete(name);
      this.#end(delivery);
    }
    for (const source of served.values()) this.#serve(source);
  }

  #end({ database, loop }: SourceDelivery): void {
    const milliseconds = this.#settings.options.gracefulShutdownTimeoutSeconds * 1000;
    const others = this.#ending.get(database);
    const ending = Promise.all([others, loop.stop(milliseconds)]).then(() => {
      if (this.#ending.get(database) === ending) this.#ending.delete(database);
    });
    this.#ending.set(database, ending);
  }

  /** Resolves when nothing is delivered any more of a database that no source names. Never rejects. */
  async ended(database: DatabaseSource): Promise<void> {
    await this.#ending.get(database);
  }

  /** Waits so long for deliveries under way, and gives back the rest. Never rejects. */
  stop(milliseconds: number): Promise<void> {
    this.#stopping ??= this.#stop(milliseconds);
    return this.#stopping;
  }

  async #stop(milliseconds: number): Promise<void> {
    this.#fetches.stop();
    const loops = [...this.#sources.values()].map(({ loop }) => loop.stop(milliseconds));
    await Promise.all([...loops, atMost(milliseconds, Promise.all(this.#ending.values()))]);
    await this.#client.close();
  }

  #serve(source: DeliveredSource): void {
    const { database } = source;
    const known = this.#sources.get(database.name);
    const delivery = known ?? this.#open(source);
    const before = delivery.triggers;
    delivery.triggers = new Map(source.triggers.map((trigger) => [trigger.name, trigger]));
    this.#forgetOrder(delivery, before);
    delivery.loop.setLanes(source.triggers.map(laneOf));
    if (known) return;
    this.#sources.set(database.name, delivery);
    delivery.loop.start();
  }

  #open({ kind, database }: DeliveredSource): SourceDelivery {
    const { options, environment, version, log, lease, telemetry = noTelemetry } = this.#settings;
    const { meters } = telemetry;
    const meter = new EventMeter(meters, database.name);
    const queue = new EventQueue({
      kind,
      database,
      orderOf: (name) => delivery.triggers.get(name)?.ordering,
      onUnpackFailure: ({ code, message: reason }) => {
        const message = "Events that were written together could not be unpacked, and will be";
        log.warn("event-trigger-process", { message, queue: database.name, code, reason });
      },
    });
    const settings: DeliverSettings = {
      client: meteredClient(this.#client, meters.eventRequestBytes, meters.eventResponseBytes),
      environment,
      version,
      storedAnswerBytes: options.eventsStoredResponseBytes,
      logVersion: "2",
      now: () => Date.now(),
      random: () => Math.random(),
      tracer: telemetry.tracer,
      spanName: (trigger) => `Event trigger: ${trigger}`,
      report: (trigger, made, outcome, seconds) => {
        meter.attempted(trigger, outcome, seconds);
        const { redactEventTriggerLogs: redact, enableTriggersErrorLogLevel: failuresAreErrors } = options;
        logDelivery(trigger, made, outcome, { log, type: "event-trigger", redact, failuresAreErrors });
      },
    };
    const loop = new DeliveryLoop({
      queue,
      slots: this.#slots,
      async deliver(event, lane: EventLane) {
        const ended = meter.began(event);
        const result = await deliver(event, deliveryOf(event, lane), settings);
        ended(result);
        return result;
      },
      batchSize: options.eventsFetchBatchSize,
      intervalMilliseconds: options.eventsFetchIntervalMilliseconds,
      log,
      onTaken: (events, seconds) => {
        meter.fetched(events, seconds);
        if (events !== undefined) this.#fetches.add(database.name, events);
      },
      ...(lease && { lease }),
    });
    const delivery: SourceDelivery = { database, loop, queue, triggers: new Map() };
    return delivery;
  }

  /** Events that were written while a trigger had an order would wait for ever for somebody who asks for that. */
  #forgetOrder({ queue, triggers }: SourceDelivery, before: SourceDelivery["triggers"]): void {
    const unordered = [...triggers.values()].filter(({ ordering }) => ordering === undefined).map(({ name }) => name);
    const changed = unordered.filter((name) => !before.has(name) || before.get(name)?.ordering !== undefined);
    queue.forgetOrder(changed).catch((error: unknown) => {
      this.#settings.log.warn("event-trigger-process", { message: "The order of events was kept", error });
    });
  }
}
