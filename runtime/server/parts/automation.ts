/** Starts background work: event triggers, schedules, asynchronous actions. */

import type { Environment } from "../../config/options.ts";
import type { ActionCalls } from "../../execute/actions/action-calls.ts";
import type { Generation } from "../../execute/generation.ts";
import type { ActionLog } from "../../jobs/actions/action-log.ts";
import { watchDeadLetters } from "../../jobs/dead-letters/dead-letter-watch.ts";
import { type CleanedSource, type CleanupLoop, startCleanups } from "../../jobs/events/cleanup-loop.ts";
import { eventSource } from "../../jobs/events/event-source.ts";
import { bugReporter, type Log } from "../../observe/logs/log.ts";
import type { Telemetry } from "../../ports/telemetry.ts";
import { type ActionDatabase, type AsyncActions, openAsyncActions } from "./async-actions.ts";
import type { AutomaticOptions } from "./delivering.ts";
import { openScheduling, type Scheduling, type SchedulingSettings } from "./scheduling.ts";
import { openEventing, type Started } from "./start.ts";

interface AutomationSettings {
  readonly options: AutomaticOptions;
  readonly environment: Environment;
  readonly version: string;
  readonly log: Log;
  readonly telemetry: Telemetry;
  readonly generation: () => Generation;
  readonly kindOf: (source: string) => string | undefined;
  readonly cronTriggers: () => readonly string[];
  readonly operations: SchedulingSettings["operations"];
  readonly actions: ActionCalls;
  /** `undefined` without a metadata database. */
  readonly storage: { readonly database: ActionDatabase; readonly calls: ActionLog } | undefined;
}

/** @param started receives the functions that stop the work */
export async function startAutomation(started: Started, settings: AutomationSettings) {
  const { options } = settings;
  const scheduling = await startScheduling(started, settings);
  const writesNothing = options.enableReadOnlyMode || options.enableMaintenanceMode;
  if (!writesNothing && options.isLeftToSibling !== true) {
    const cleanups = startEventCleanups(settings);
    started.add(() => cleanups.stop());
  }
  const eventing = openEventing(settings);
  started.add(() => eventing.stop(0));
  eventing.refresh();
  const acting = startAsyncActions(started, settings);
  const { storage, telemetry, generation } = settings;
  if (storage !== undefined && telemetry.meters.isOn) {
    watchDeadLetters(telemetry.meters, storage.database, () =>
      generation()
        .asynchronousActions()
        .map(({ name }) => name),
    );
  }
  return { eventing, scheduling, acting };
}

async function startScheduling(
  started: Started,
  { storage, cronTriggers, ...settings }: AutomationSettings,
): Promise<Scheduling> {
  if (storage === undefined) {
    warnNotServed(settings.log, "scheduled_triggers", { message: schedulesNotServed, triggers: cronTriggers() });
    return { refresh: async () => undefined, wake: () => undefined, stop: async () => undefined };
  }
  const scheduling = openScheduling({ ...settings, database: storage.database, names: cronTriggers });
  started.add(() => scheduling.stop(0));
  await scheduling.refresh();
  return scheduling;
}

function startAsyncActions(started: Started, { storage, ...settings }: AutomationSettings): AsyncActions {
  if (storage === undefined) {
    const actions = settings.generation().asynchronousActions();
    warnNotServed(settings.log, "async_actions", {
      message: actionsNotServed,
      actions: actions.map(({ name }) => name),
    });
    return { refresh: () => undefined, stop: async () => undefined };
  }
  const acting = openAsyncActions({ ...settings, ...storage });
  started.add(() => acting.stop(0));
  acting.refresh();
  return acting;
}

const schedulesNotServed = "Cron triggers do not run; set --metadata-database-url to the database for their events";
const actionsNotServed =
  "Asynchronous actions are not served; set --metadata-database-url to the database for their calls";

/** Warns about metadata objects that need a metadata database. */
function warnNotServed(
  log: Log,
  kind: string,
  info: { readonly message: string; readonly triggers?: readonly string[]; readonly actions?: readonly string[] },
): void {
  if ((info.triggers ?? info.actions ?? []).length > 0) log.warn("startup", { kind, info });
}

// Clean-up of events. Wiring only.

interface EventCleanupSettings {
  readonly generation: () => Pick<Generation, "eventTriggers" | "sources">;
  /** Returns the kind of a source. */
  readonly kindOf: (source: string) => string | undefined;
  readonly log: Log;
}

function startEventCleanups({ generation, kindOf, log }: EventCleanupSettings): CleanupLoop {
  const report = bugReporter(log);
  return startCleanups({
    sources: () => cleanedSources(generation(), kindOf),
    log,
    reportBug: (bug) => report(bug, ""),
  });
}

function cleanedSources(
  generation: ReturnType<EventCleanupSettings["generation"]>,
  kindOf: EventCleanupSettings["kindOf"],
): readonly CleanedSource[] {
  const cleaned = generation.eventTriggers().filter(({ cleanup }) => cleanup !== undefined);
  return [...new Set(cleaned.map(({ source }) => source))].flatMap((name) => {
    const database = generation.sources.get(name);
    const kind = kindOf(name);
    if (database === undefined || kind === undefined) return [];
    const triggers = cleaned.filter(({ source }) => source === name);
    return [{ name, events: eventSource(kind, database), triggers }];
  });
}
