/** Operations on dead letters of all queues: in the sources, and in the metadata database. */
import type { Json, Source } from "../../compiler/catalog/model.ts";
import { type DeadLetterKind, deadLetterKinds } from "../../compiler/metadata/operations/dead-letters.ts";
import { shownErrors } from "../jobs/actions/action-log.ts";
import { readCalls } from "../jobs/actions/call-list.ts";
import { redeliverCalls } from "../jobs/actions/redelivery.ts";
import { type DeadLetter, shortened } from "../jobs/dead-letters/dead-letter.ts";
import { failedEvents, isDeadEvent, withReason } from "../jobs/dead-letters/event-letters.ts";
import { countScheduledLetters, failedSchedules } from "../jobs/dead-letters/scheduled-letters.ts";
import { type EventSource, eventSource } from "../jobs/events/event-source.ts";
import { countFailedEvents, hasEventTables, redeliverEvent } from "../jobs/events/logs.ts";
import { hasEventQueue } from "../jobs/events/queue.ts";
import { redeliverScheduledEvent, redeliverScheduledEvents } from "../jobs/schedules/redelivery.ts";
import { EngineError, pathTo } from "../values/errors.ts";
import { isObject } from "../values/is-object.ts";
import { didYouMean } from "../values/nearest-name.ts";
import { redeliverTrigger, triggersOf } from "./event-logs.ts";
import type { IoCallOf, IoContext, IoHandlers } from "./io-handlers.ts";

export const deadLetterHandlers: IoHandlers<"get_dead_letters" | "replay_dead_letters"> = {
  get_dead_letters: getDeadLetters,
  replay_dead_letters: (call, context) => replayDeadLetters(call, context).finally(context.onScheduledEvent),
};

interface Filter {
  readonly kind?: readonly DeadLetterKind[] | undefined;
  readonly source?: string | undefined;
  readonly name?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Maximum number of letters that one trigger or action counts. */
const maxCount = 100_000;

/** A source with event triggers that the filter selects. */
interface SelectedSource {
  readonly source: Source;
  readonly triggers: readonly string[];
}

/** The triggers and actions that a filter selects. */
interface Selection {
  readonly sources: readonly SelectedSource[];
  readonly cronTriggers: readonly string[];
  readonly hasOneOff: boolean;
  readonly actions: readonly string[];
}

/** @throws EngineError `not-exists` for a source or name that the metadata does not have */
function select({ kind = deadLetterKinds, source, name }: Filter, { draft }: IoContext, path: string): Selection {
  const { sources, cron_triggers, actions } = draft.catalog;
  if (source !== undefined && !sources.some((each) => each.name === source)) {
    throw new EngineError("not-exists", pathTo(path, "source"), `source with name "${source}" does not exist`, {
      hint: () =>
        didYouMean(
          source,
          sources.map((each) => each.name),
        ),
    });
  }
  const has = (of: DeadLetterKind): boolean => kind.includes(of) && (source === undefined || of === "event");
  const isNamed = (each: string): boolean => name === undefined || each === name;
  const selected: Selection = {
    sources: (has("event") ? sources : [])
      .filter((each) => source === undefined || each.name === source)
      .filter((each) => hasEventQueue(each.kind))
      .map((each) => ({
        source: each,
        triggers: triggersOf(each)
          .map(({ trigger }) => trigger.name)
          .filter(isNamed),
      }))
      .filter(({ triggers }) => triggers.length > 0),
    cronTriggers: has("cron") ? cron_triggers.map((each) => each.name).filter(isNamed) : [],
    hasOneOff: has("one_off") && name === undefined,
    actions: has("action") ? actions.map((each) => each.name).filter(isNamed) : [],
  };
  const isEmpty = selected.sources.length + selected.cronTriggers.length + selected.actions.length === 0;
  if (name !== undefined && isEmpty) {
    throw new EngineError("not-exists", pathTo(path, "name"), `no trigger or action has the name "${name}"`);
  }
  return selected;
}

async function getDeadLetters(call: IoCallOf<"get_dead_letters">, context: IoContext): Promise<Json> {
  const { input, path } = call;
  const { limit, offset, from, to } = input;
  const { store } = context;
  const selected = select(input, context, path);
  const wanted = limit + offset;
  const range = { from, to };
  const unavailable = new Set<string>();
  const eventSources = new Map<string, EventSource>();
  const letters: DeadLetter[] = [];
  await forEachSource(selected.sources, context, unavailable, async (events, triggers) => {
    eventSources.set(events.database.name, events);
    letters.push(...(await failedEvents(events, { triggers, ...range, count: wanted })));
  });
  const { cronTriggers: triggers } = selected;
  if (triggers.length > 0) {
    const payloads = new Map(context.draft.catalog.cron_triggers.map((each) => [each.name, each.payload ?? null]));
    const found = await failedSchedules(store, { kind: "cron", triggers, ...range }, wanted);
    letters.push(...found.map((letter) => ({ ...letter, payload: payloads.get(letter.name ?? "") ?? null })));
  }
  if (selected.hasOneOff) {
    letters.push(...(await failedSchedules(store, { kind: "one_off", triggers: [], ...range }, wanted)));
  }
  for (const action of selected.actions) letters.push(...(await failedCalls(action, range, wanted, context)));
  letters.sort((one, other) => other.at.getTime() - one.at.getTime() || (one.id < other.id ? 1 : -1));
  const page: Json[] = [];
  for (const letter of letters.slice(offset, wanted)) {
    const events = eventSources.get(letter.source ?? "");
    page.push(rowOf(events === undefined ? letter : await withReason(events, letter)));
  }
  const count = input.get_rows_count ? { count: await countLetters(selected, range, context, unavailable) } : {};
  return { dead_letters: page, ...count, ...(unavailable.size > 0 && { unavailable_sources: [...unavailable] }) };
}

interface Range {
  readonly from: string | undefined;
  readonly to: string | undefined;
}

async function failedCalls(
  action: string,
  range: Range,
  count: number,
  { store, visibility, session }: IoContext,
): Promise<readonly DeadLetter[]> {
  const calls = await readCalls(store, { action, statuses: ["error"], ...range }, { limit: count, offset: 0 });
  return calls.map((failed): DeadLetter => {
    const errors = shownErrors(failed.errors, visibility, session);
    const internal = isObject(failed.errors) && isObject(failed.errors.internal) ? failed.errors.internal : {};
    const status = isObject(internal.response) ? internal.response.status : null;
    return {
      kind: "action",
      source: null,
      name: failed.action,
      id: failed.id,
      status: "error",
      at: failed.createdAt,
      failedAt: failed.responseReceivedAt,
      tries: failed.tries,
      reason: {
        status: typeof status === "number" ? status : null,
        message: shortened(isObject(errors) ? errors.error : errors),
      },
      payload: failed.input,
    };
  });
}

/** Runs `work` for each source with event tables; sources whose database fails are added to `unavailable`. */
async function forEachSource(
  sources: readonly SelectedSource[],
  { environment }: IoContext,
  unavailable: Set<string>,
  work: (events: EventSource, triggers: readonly string[], source: Source) => Promise<void>,
): Promise<void> {
  for (const { source, triggers } of sources) {
    try {
      const events = eventSource(source.kind, environment.sources.database(source));
      if (await hasEventTables(events)) await work(events, triggers, source);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      unavailable.add(source.name);
    }
  }
}

async function countLetters(
  selected: Selection,
  range: Range,
  context: IoContext,
  unavailable: Set<string>,
): Promise<number> {
  let total = 0;
  await forEachSource(selected.sources, context, unavailable, async (events, triggers) => {
    const { from = null, to = null } = range;
    for (const count of (await countFailedEvents(events, triggers, { from, to }, maxCount)).values()) total += count;
  });
  const counts = await countScheduledLetters(context.store, selected.actions, range, maxCount);
  for (const { kind, name, count } of counts) {
    const isSelected =
      kind === "action" || (kind === "cron" ? selected.cronTriggers.includes(name) : selected.hasOneOff);
    if (isSelected) total += count;
  }
  return total;
}

function rowOf({ kind, source, name, id, status, at, failedAt, tries, reason, payload }: DeadLetter): Json {
  return {
    kind,
    source,
    name,
    id,
    status,
    created_at: at.toISOString(),
    failed_at: failedAt === null ? null : failedAt.toISOString(),
    tries,
    reason: { ...reason },
    payload: payload as Json,
  };
}

async function replayDeadLetters(call: IoCallOf<"replay_dead_letters">, context: IoContext): Promise<Json> {
  const { input, path } = call;
  if (input.letters !== undefined) return replayListed(input.letters, context, pathTo(path, "letters"));
  const selected = select(input, context, path);
  const { from, to } = input;
  const { store } = context;
  const unavailable = new Set<string>();
  let replayed = 0;
  await forEachSource(selected.sources, context, unavailable, async (events, triggers, source) => {
    for (const { trigger } of triggersOf(source)) {
      if (!triggers.includes(trigger.name)) continue;
      replayed += await redeliverTrigger(events, trigger, { states: "error", from, to });
    }
  });
  const statuses = ["error", "dead"] as const;
  for (const trigger of selected.cronTriggers) {
    replayed += await redeliverScheduledEvents(store, { kind: "cron", trigger, statuses, from, to });
  }
  if (selected.hasOneOff) {
    replayed += await redeliverScheduledEvents(store, { kind: "one_off", statuses, from, to });
  }
  if (selected.actions.length > 0) {
    replayed += await redeliverCalls(store, { actions: selected.actions, from, to });
  }
  return { replayed, ...(unavailable.size > 0 && { unavailable_sources: [...unavailable] }) };
}

type ListedLetters = NonNullable<IoCallOf<"replay_dead_letters">["input"]["letters"]>;

async function replayListed(letters: ListedLetters, context: IoContext, path: string): Promise<Json> {
  let replayed = 0;
  for (const [index, letter] of letters.entries()) {
    if (await replayOne(letter, context, pathTo(path, index))) replayed++;
  }
  return { replayed, skipped: letters.length - replayed };
}

/** Returns false if the letter is not dead any more, or has been deleted. */
async function replayOne(
  { kind, id, source: name }: ListedLetters[number],
  context: IoContext,
  path: string,
): Promise<boolean> {
  const { store } = context;
  switch (kind) {
    case "event":
      return replayEvent(String(name), id, context, path);
    case "cron":
    case "one_off": {
      const table = `engine_catalog.engine_${kind === "cron" ? "cron" : "scheduled"}_events`;
      const [dead] = await store.query(`select from ${table} where id = $1 and status in ('error', 'dead')`, [id]);
      return dead !== undefined && (await redeliverScheduledEvent(store, kind, id)) === "done";
    }
    case "action": {
      const actions = context.draft.catalog.actions.map((each) => each.name);
      return isUuid(id) && (await redeliverCalls(store, { actions, ids: [id] })) > 0;
    }
  }
}

const isUuid = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

async function replayEvent(name: string, id: string, { draft, environment }: IoContext, path: string) {
  const source = draft.catalog.sources.find((each) => each.name === name);
  if (source === undefined) {
    throw new EngineError("not-exists", pathTo(path, "source"), `source with name "${name}" does not exist`);
  }
  try {
    const events = eventSource(source.kind, environment.sources.database(source));
    if (!(await hasEventTables(events)) || !(await isDeadEvent(events, id))) return false;
    const isOrdered = (of: string) =>
      triggersOf(source).some(({ trigger }) => trigger.name === of && trigger.ordering !== undefined);
    return (await redeliverEvent(events, id, isOrdered)) === "done";
  } catch (error) {
    throw error instanceof EngineError ? error.at(path) : error;
  }
}
