/** Delivers the events of all sources for the current triggers, with one loop per source. */
import type { Options } from "../../config/option-table.ts";
import type { DatabaseSource } from "../../databases/sources/source.ts";
import type { EventTriggerDefinition } from "../../model/definitions/events/event-trigger.ts";
import type { JsonValue } from "../../model/templates/json-value.ts";
import type { SessionVariables } from "../../model/templates/scope.ts";
import type { Log } from "../../observe/logs/log.ts";
import type { HttpClient } from "../../outbound/http-client.ts";
import type { TlsAllow } from "../../outbound/tls-allowlist.ts";
import { noMeters } from "../../ports/metrics.ts";
import { noTelemetry, type Telemetry } from "../../ports/telemetry.ts";
import { isObject } from "../../values/is-object.ts";
import { type DeliverSettings, type Delivery, deliver, type Lane, traceOf } from "../delivery/deliver.ts";
import { logDelivery } from "../delivery/delivery-log.ts";
import { DeliveryLoop } from "../delivery/delivery-loop.ts";
import type { LeaseParts } from "../delivery/lease.ts";
import { waitAtMost } from "../delivery/sleep.ts";
import { Slots } from "../delivery/slots.ts";
import { openWebhook, type Webhook } from "../delivery/webhook.ts";
import { meteredClient, webhookClient } from "../delivery/webhook-client.ts";
import { BacklogWatch } from "./backlog-watch.ts";
import { EventMeter } from "./event-meter.ts";
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
  /** Product version. */
  readonly version: string;
  readonly log: Log;
  /** Returns the hosts whose certificates are not verified. */
  readonly uncheckedHosts: () => readonly TlsAllow[];
  /** Absent if telemetry is disabled. */
  readonly telemetry?: Telemetry;
  /** For tests. */
  readonly lease?: Pick<LeaseParts, "clocks" | "times">;
}

/** A source with event triggers and installed tables. */
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
  /**
   * Shutdowns in progress, by database, of sources that are no longer served. Each resolves when its results are
   * written.
   */
  readonly #ending = new Map<DatabaseSource, Promise<void>>();
  #stopping: Promise<void> | undefined;

  constructor(settings: EventDeliverySettings) {
    const { options, log, uncheckedHosts } = settings;
    this.#settings = settings;
    this.#backlog.register(settings.telemetry?.meters ?? noMeters);
    this.#slots = new Slots(options.eventsHttpPoolSize);
    this.#fetches = new FetchLog(log);
    this.#client = webhookClient(options.eventsHttpPoolSize, uncheckedHosts, options.outboundAllow);
  }

  /** Metrics return the previous backlog; the databases are queried for the next read. */
  readonly #backlog = new BacklogWatch(() => this.#sources.values());

  /**
   * Sets the sources to deliver. A removed source releases unsent events and waits for events in flight, for at most
   * the graceful shutdown timeout.
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

  /** Resolves when deliveries of a removed source have ended. Never rejects. */
  async ended(database: DatabaseSource): Promise<void> {
    await this.#ending.get(database);
  }

  /** Waits up to `milliseconds` for deliveries in flight, then releases the remaining events. Never rejects. */
  stop(milliseconds: number): Promise<void> {
    this.#stopping ??= this.#stop(milliseconds);
    return this.#stopping;
  }

  async #stop(milliseconds: number): Promise<void> {
    this.#fetches.stop();
    const loops = [...this.#sources.values()].map(({ loop }) => loop.stop(milliseconds));
    await Promise.all([...loops, waitAtMost(milliseconds, Promise.all(this.#ending.values()))]);
    await this.#client.close();
  }

  #serve(source: DeliveredSource): void {
    const { database } = source;
    const known = this.#sources.get(database.name);
    const delivery = known ?? this.#open(source);
    const before = delivery.triggers;
    delivery.triggers = new Map(source.triggers.map((trigger) => [trigger.name, trigger]));
    this.#clearOrder(delivery, before);
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
        const message = "Failed to unpack events; retrying";
        log.warn("event-trigger-process", { message, queue: database.name, code, reason });
      },
    });
    const settings: DeliverSettings = {
      client: meteredClient(this.#client, meters.eventRequestBytes, meters.eventResponseBytes),
      environment,
      version,
      storedResponseBytes: options.eventsStoredResponseBytes,
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

  /**
   * Clears the order of pending events of triggers that are no longer ordered; the unordered queue skips events with a
   * key.
   */
  #clearOrder({ queue, triggers }: SourceDelivery, before: SourceDelivery["triggers"]): void {
    const unordered = [...triggers.values()].filter(({ ordering }) => ordering === undefined).map(({ name }) => name);
    const changed = unordered.filter((name) => !before.has(name) || before.get(name)?.ordering !== undefined);
    queue.clearOrder(changed).catch((error: unknown) => {
      this.#settings.log.warn("event-trigger-process", { message: "Failed to clear the order of events", error });
    });
  }
}

// Logs every ten minutes how many events were claimed.

const tenMinutes = 10 * 60 * 1000;

/** Counts claims from the queues of all sources. Logs at `debug` if no events were claimed. */
class FetchLog {
  readonly #log: Log;
  #events: Record<string, number> = {};
  #fetches = 0;
  readonly #timer: NodeJS.Timeout;

  constructor(log: Log, milliseconds = tenMinutes) {
    this.#log = log;
    this.#timer = setInterval(() => this.#write(), milliseconds);
    this.#timer.unref();
  }

  add(source: string, events: number): void {
    this.#events[source] = (this.#events[source] ?? 0) + events;
    this.#fetches++;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #write(): void {
    const detail = { num_events_fetched: this.#events, num_fetches: this.#fetches };
    const level = Object.values(this.#events).some((count) => count > 0) ? "info" : "debug";
    this.#events = {};
    this.#fetches = 0;
    this.#log[level]("event-trigger-process", detail);
  }
}

// Converts event triggers of the metadata to delivery lanes (`docs/how-to/event-triggers.md`).

interface EventLane extends Lane {
  readonly trigger: EventTriggerDefinition;
  readonly webhook: Webhook;
}

function laneOf(trigger: EventTriggerDefinition): EventLane {
  const { name, webhook, ordering } = trigger;
  return { name, isOrdered: ordering !== undefined, trigger, webhook: openWebhook(webhook) };
}

function deliveryOf(event: QueuedEvent, { trigger, webhook }: EventLane): Delivery {
  const { id, traceContext } = event;
  const attempt = {
    id,
    text: payloadText(event, trigger.webhook.retry.retries),
    sessionVariables,
    trace: traceOf(traceContext === null ? null : JSON.parse(traceContext)),
    timeoutMessage: `Event Trigger "${trigger.name}" timed out while processing.`,
  };
  return { webhook, attempt };
}

/** Embeds the payload text of the database unchanged, so that long numbers keep their digits. */
function payloadText({ id, lane, table, createdAt, payload, tries }: QueuedEvent, retries: number): string {
  const about = { id, created_at: createdAt, trigger: { name: lane }, table };
  const delivery = { current_retry: tries, max_retries: retries };
  return `${JSON.stringify(about).slice(0, -1)},"event":${payload},"delivery_info":${JSON.stringify(delivery)}}`;
}

function sessionVariables(payload: JsonValue): SessionVariables {
  const event = isObject<JsonValue>(payload) ? payload.event : undefined;
  const variables = isObject<JsonValue>(event) ? event.session_variables : undefined;
  if (!isObject(variables)) return null;
  const texts = Object.entries(variables).map(([name, value]) => [name, String(value)]);
  return Object.fromEntries(texts);
}
