/** Operations on the events of event triggers, in the database of their source (`docs/how-to/event-triggers.md`). */
import type { EventTrigger, Json, QualifiedName, Source } from "../../compiler/catalog/model.ts";
import { findSource } from "../../compiler/metadata/lookups.ts";
import { requestTrace } from "../execute/trace-setting.ts";
import { deleteOldEvents } from "../jobs/events/cleanup.ts";
import { type EventSource, eventSource } from "../jobs/events/event-source.ts";
import {
  hasEventTables,
  insertEvent,
  type Redelivery,
  readEvent,
  readEvents,
  readInvocations,
  redeliverEvent,
  redeliverEvents,
} from "../jobs/events/logs.ts";
import { EngineError } from "../values/errors.ts";
import { stringifyJson } from "../values/json-number.ts";
import { didYouMean } from "../values/nearest-name.ts";
import type { Session } from "../values/session.ts";
import { noSpan } from "../values/span.ts";
import type { ChangeEnvironment } from "./apply-change.ts";
import { valueOrThrow } from "./diagnostic-errors.ts";
import type { IoCallOf, IoContext, IoHandlers } from "./io-handlers.ts";
import type { Draft } from "./state.ts";

interface SourceCall {
  readonly source: Source;
  readonly events: EventSource;
  readonly path: string;
}

type EventLogOperation =
  | "invoke_event_trigger"
  | "redeliver_event"
  | "redeliver_events"
  | "get_event_logs"
  | "get_event_invocation_logs"
  | "get_event_by_id"
  | "cleanup_event_trigger_logs";

export const eventLogHandlers: IoHandlers<EventLogOperation> = {
  invoke_event_trigger: inSource(invoke),
  redeliver_event: inSource(redeliver),
  redeliver_events: inSource(redeliverAll),
  get_event_logs: inSource(getEventLogs),
  get_event_invocation_logs: inSource(getInvocationLogs),
  get_event_by_id: inSource(getEventById),
  cleanup_event_trigger_logs: inSource(cleanUp),
};

/** Resolves the source of a call for a handler. */
function inSource<C extends IoCallOf<EventLogOperation>>(
  handle: (call: C, target: SourceCall, session: Session) => Promise<Json>,
): (call: C, context: IoContext) => Promise<Json> {
  return async (call, { draft, environment, session }) => {
    const { path } = call;
    const source = sourceOf(call, draft, environment);
    try {
      const events = eventSource(source.kind, environment.sources.database(source));
      return await handle(call, { source, events, path }, session);
    } catch (error) {
      throw error instanceof EngineError ? error.at(path) : error;
    }
  };
}

function sourceOf(call: IoCallOf<EventLogOperation>, draft: Draft, { context }: ChangeEnvironment): Source {
  const { path, input } = call;
  const named = draft.catalog.sources.find(({ name }) => name === input.source);
  const kind = (call.anyKind ? named?.kind : undefined) ?? call.kind;
  return valueOrThrow(findSource({ ...draft, context, kind, path }, input.source));
}

interface OwnedTrigger {
  readonly table: QualifiedName;
  readonly trigger: EventTrigger;
}

/** Returns the event triggers of a source with their tables. */
export function triggersOf({ tables }: Source): readonly OwnedTrigger[] {
  return tables.flatMap(({ table, event_triggers }) => event_triggers.map((trigger) => ({ table, trigger })));
}

function findTrigger({ source, path }: SourceCall, name: string): OwnedTrigger {
  const found = triggersOf(source).find(({ trigger }) => trigger.name === name);
  if (found !== undefined) return found;
  const names = triggersOf(source).map(({ trigger }) => trigger.name);
  throw new EngineError("not-exists", path, `event trigger "${name}" does not exist`, {
    hint: () => didYouMean(name, names),
  });
}

async function invoke(
  { input, path }: IoCallOf<"invoke_event_trigger">,
  target: SourceCall,
  session: Session,
): Promise<Json> {
  const { table, trigger } = findTrigger(target, input.name);
  if (trigger.definition.enable_manual !== true) {
    throw new EngineError("not-supported", path, "manual mode is not enabled for event trigger");
  }
  const payload = stringifyJson({
    op: "MANUAL",
    data: { old: null, new: input.payload },
    session_variables: Object.fromEntries(session.variables),
    trace_context: requestTrace(session.span ?? noSpan, session.clientHeaders),
  });
  return { event_id: await insertEvent(target.events, { table, trigger: input.name, payload }) };
}

async function redeliver({ input, path }: IoCallOf<"redeliver_event">, { events, source }: SourceCall): Promise<Json> {
  const triggers = triggersOf(source);
  const isOrdered = (name: string) => triggers.some(({ trigger }) => trigger.name === name && trigger.ordering);
  const hasTables = await hasEventTables(events);
  const outcome = hasTables ? await redeliverEvent(events, input.event_id, isOrdered) : "not found";
  switch (outcome) {
    case "done":
      return { message: "success" };
    case "busy":
      throw new EngineError("busy", path, "event is already being processed");
    case "not found":
      throw new EngineError("not-exists", path, "event not found");
  }
}

/** Number of events per transaction. A transaction with ordered events blocks their delivery. */
const redeliveryBatchSizes = { ordered: 1000, unordered: 10_000 };

async function redeliverAll({ input }: IoCallOf<"redeliver_events">, target: SourceCall): Promise<Json> {
  const { name, status, from, to } = input;
  const owned = name === undefined ? triggersOf(target.source) : [findTrigger(target, name)];
  if (!(await hasEventTables(target.events))) return { redelivered_events: 0 };
  const states = new Set(status).size > 1 ? "both" : (status[0] ?? "error");
  let redelivered_events = 0;
  for (const { trigger } of owned) {
    redelivered_events += await redeliverTrigger(target.events, trigger, { states, from, to });
  }
  return { redelivered_events };
}

/** Resets the finished events of a trigger. Returns their number. */
export function redeliverTrigger(
  events: EventSource,
  { name, ordering }: EventTrigger,
  selected: Pick<Redelivery, "states" | "from" | "to">,
): Promise<number> {
  const ordered = ordering !== undefined;
  const batchSize = redeliveryBatchSizes[ordered ? "ordered" : "unordered"];
  return redeliverEvents(events, { trigger: name, ordered, batchSize, ...selected });
}

async function getEventLogs({ input }: IoCallOf<"get_event_logs">, target: SourceCall): Promise<Json> {
  const { name, status = "all", outcome = status, from, to, limit, offset } = input;
  findTrigger(target, name);
  if (!(await hasEventTables(target.events))) return [];
  return asJson(await readEvents(target.events, { trigger: name, which: outcome, from, to }, { limit, offset }));
}

async function getInvocationLogs({ input }: IoCallOf<"get_event_invocation_logs">, target: SourceCall): Promise<Json> {
  const { name, limit, offset } = input;
  findTrigger(target, name);
  if (!(await hasEventTables(target.events))) return [];
  return asJson(await readInvocations(target.events, name, { limit, offset }));
}

async function getEventById({ input, path }: IoCallOf<"get_event_by_id">, { events }: SourceCall): Promise<Json> {
  const { event_id, invocation_log_limit: limit, invocation_log_offset: offset } = input;
  const found = (await hasEventTables(events)) ? await readEvent(events, event_id, { limit, offset }) : undefined;
  if (found === undefined) throw new EngineError("not-exists", path, `event id ${event_id} does not exist`);
  return { event: asJson(found.event), invocations: asJson(found.invocations) };
}

async function cleanUp({ input }: IoCallOf<"cleanup_event_trigger_logs">, target: SourceCall): Promise<Json> {
  const { event_trigger_name: trigger, clear_older_than, batch_size, timeout, clean_invocation_logs } = input;
  findTrigger(target, trigger);
  const hasTables = await hasEventTables(target.events);
  const old = {
    trigger,
    olderThanHours: clear_older_than,
    batchSize: batch_size,
    timeoutSeconds: timeout,
    withInvocations: clean_invocation_logs,
  };
  const { events, invocations } = hasTables ? await deleteOldEvents(target.events, old) : { events: 0, invocations: 0 };
  return { deleted_event_logs: events, deleted_event_invocation_logs: invocations };
}

/** Returns JSON built by a database. */
function asJson(value: unknown): Json {
  return value as Json;
}
