/** What a server does by itself for the event triggers of whatever Generation is current: delivers their events. */
import type { Environment } from "../../config/options.ts";
import type { DatabaseSource } from "../../databases/sources/source.ts";
import type { Generation } from "../../execute/generation.ts";
import { type DeliveredSource, EventDelivery } from "../../jobs/events/event-delivery.ts";
import type { Log } from "../../observe/logs/log.ts";
import { logDelivering } from "../../observe/logs/startup-steps.ts";
import type { Telemetry } from "../../ports/telemetry.ts";
import { type AutomaticOptions, undeliveredBy } from "./delivering.ts";

export interface EventingSettings {
  readonly options: AutomaticOptions;
  readonly environment: Environment;
  readonly version: string;
  readonly log: Log;
  readonly telemetry: Telemetry;
  readonly generation: () => Pick<Generation, "eventTriggers" | "sources" | "tlsAllowlist">;
  /** The kind of each source, as of now. */
  readonly kindOf: (source: string) => string | undefined;
}

export interface Eventing {
  /** Goes by the current Generation from now on. */
  refresh(): void;
  /** Resolves when nothing is delivered any more of a database that the Generation does not have. Never rejects. */
  ended(database: DatabaseSource): Promise<void>;
  /** Ends, with so much patience for deliveries under way. Never rejects; may be called again. */
  stop(milliseconds: number): Promise<void>;
}

export function openEventing(settings: EventingSettings): Eventing {
  const { options, generation, log } = settings;
  // Others deliver the events where this instance does not; results cannot be written where nothing may be.
  const reason = undeliveredBy(options, { "--events-fetch-batch-size": options.eventsFetchBatchSize });
  logDelivering(log, "event_triggers", reason);
  const uncheckedHosts = () => generation().tlsAllowlist;
  const delivery = reason === undefined ? new EventDelivery({ ...settings, uncheckedHosts }) : undefined;
  return {
    refresh: () => delivery?.setSources(deliveredSources(settings)),
    ended: async (database) => delivery?.ended(database),
    stop: async (milliseconds) => delivery?.stop(milliseconds),
  };
}

function deliveredSources({ generation, kindOf }: EventingSettings): readonly DeliveredSource[] {
  const current = generation();
  const eventTriggers = current.eventTriggers();
  return [...current.sources].flatMap(([name, database]) => {
    const kind = kindOf(name);
    const triggers = eventTriggers.filter(({ source }) => source === name);
    return kind === undefined || triggers.length === 0 ? [] : [{ kind, database, triggers }];
  });
}
