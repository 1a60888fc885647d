/** Operations on the events of event triggers, in the database of their source (`docs/event-triggers.md`). */
import type { EventTrigger, Json, QualifiedName, Source } from "../../compiler/catalog/model.ts";
import type {
  CleanUpEventLogsCall,
  EventTriggerCall,
  GetEventByIdCall,
  GetEventInvocationLogsCall,
  GetEventLogsCall,
  InvokeEventTriggerCall,
  RedeliverEventCall,
  RedeliverEventsCall,
} from "../../compiler/metadata/io.ts";
import { findSource } from "../../compiler/metadata/lookups.ts";
import { requestTrace } from "../execute/trace-setting.ts";
import { deleteOldEvents } from "../jobs/events/cleanup.ts";
import { type EventSource, eventSource } from "../jobs/events/event-source.ts";
import {
  hasEventTables,
  insertEvent,
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
import type { Draft } from "./state.ts";
import { valueOrThrow } from "./thrown.ts";

interface Found {
  readonly source: Source;
  readonly events: EventSource;
  readonly path: string;
}

/** @throws EngineError at the path of the call */
export async function runEventTriggerCall(
  call: EventTriggerCall,
  draft: Draft,
  environment: ChangeEnvironment,
  session: Session,
): Promise<Json> {
  const { path } = call;
  const source = sourceOf(call, draft, environment);
  try {
    const events = eventSource(source.kind, environment.sources.database(source));
    return await run(call, { source, events, path }, session);
  } catch (error) {
    throw error instanceof EngineError ? error.at(path) : error;
  }
}

function sourceOf({ kind, path, input }: EventTriggerCall, draft: Draft, { context }: ChangeEnvironment): Source {
  const named = draft.catalog.sources.find(({ name }) => name === input.source);
  return valueOrThrow(findSource({ ...draft, context, kind: kind ?? named?.kind ?? "postgres", path }, input.source));
}

function run(call: EventTriggerCall, found: Found, session: Session): Promise<Json> {
  switch (call.operation) {
    case "invoke_event_trigger":
      return invoke(call, found, session);
    case "redeliver_event":
      return redeliver(call, found);
    case "redeliver_events":
      return redeliverAll(call, found);
    case "get_event_logs":
      return getEventLogs(call, found);
    case "get_event_invocation_logs":
      return getInvocationLogs(call, found);
    case "get_event_by_id":
      return getEventById(call, found);
    case "cleanup_event_trigger_logs":
      return cleanUp(call, found);
  }
}

interface OwnedTrigger {
  readonly table: QualifiedName;
  readonly trigger: EventTrigger;
}

function triggersOf({ tables }: Source): readonly OwnedTrigger[] {
  return tables.flatMap(({ table, event_triggers }) => event_triggers.map((trigger) => ({ table, trigger })));
}

function findTrigger({ source, path }: Found, name: string): OwnedTrigger {
  const found = triggersOf(source).find(({ trigger }) => trigger.name === name);
  if (found !== undefined) return found;
  const names = triggersOf(source).map(({ trigger }) => trigger.name);
  throw new EngineError("not-exists", path, `event trigger "${name}" does not exist`, {
    hint: () => didYouMean(name, names),
  });
}

async function invoke({ input, path }: InvokeEventTriggerCall, found: Found, session: Session): Promise<Json> {
  const { table, trigger } = findTrigger(found, input.name);
  if (trigger.definition.enable_manual !== true) {
    throw new EngineError("not-supported", path, "manual mode is not enabled for event trigger");
  }
  const payload = stringifyJson({
    op: "MANUAL",
    data: { old: null, new: input.payload },
    session_variables: Object.fromEntries(session.variables),
    trace_context: requestTrace(session.span ?? noSpan, session.clientHeaders),
  });
  return { event_id: await insertEvent(found.events, { table, trigger: input.name, payload }) };
}

async function redeliver({ input, path }: RedeliverEventCall, { events, source }: Found): Promise<Json> {
  const triggers = triggersOf(source);
  const isOrdered = (name: string) => triggers.some(({ trigger }) => trigger.name === name && trigger.ordering);
  const isThere = await hasEventTables(events);
  const outcome = isThere ? await redeliverEvent(events, input.event_id, isOrdered) : "not found";
  switch (outcome) {
    case "done":
      return { message: "success" };
    case "busy":
      throw new EngineError("busy", path, "event is already being processed");
    case "not found":
      throw new EngineError("not-exists", path, "event not found");
  }
}

/** Events that are changed in one transaction; while that of ordered ones runs, nobody takes any. */
const redeliveredAtOnce = { ordered: 1000, unordered: 10_000 };

async function redeliverAll({ input }: RedeliverEventsCall, found: Found): Promise<Json> {
  const { name, status, from, to } = input;
  const owned = name === undefined ? triggersOf(found.source) : [findTrigger(found, name)];
  if (!(await hasEventTables(found.events))) return { redelivered_events: 0 };
  const states = new Set(status).size > 1 ? "both" : (status[0] ?? "error");
  let redelivered_events = 0;
  for (const { trigger } of owned) {
    const ordered = trigger.ordering !== undefined;
    const batchSize = redeliveredAtOnce[ordered ? "ordered" : "unordered"];
    const redelivery = { trigger: trigger.name, ordered, states, from, to, batchSize } as const;
    redelivered_events += await redeliverEvents(found.events, redelivery);
  }
  return { redelivered_events };
}

async function getEventLogs({ input }: GetEventLogsCall, found: Found): Promise<Json> {
  const { name, status = "all", limit, offset } = input;
  findTrigger(found, name);
  if (!(await hasEventTables(found.events))) return [];
  return asJson(await readEvents(found.events, name, status, { limit, offset }));
}

async function getInvocationLogs({ input }: GetEventInvocationLogsCall, found: Found): Promise<Json> {
  const { name, limit, offset } = input;
  findTrigger(found, name);
  if (!(await hasEventTables(found.events))) return [];
  return asJson(await readInvocations(found.events, name, { limit, offset }));
}

async function getEventById({ input, path }: GetEventByIdCall, { events }: Found): Promise<Json> {
  const { event_id, invocation_log_limit: limit, invocation_log_offset: offset } = input;
  const found = (await hasEventTables(events)) ? await readEvent(events, event_id, { limit, offset }) : undefined;
  if (found === undefined) throw new EngineError("not-exists", path, `event id ${event_id} does not exist`);
  return { event: asJson(found.event), invocations: asJson(found.invocations) };
}

async function cleanUp({ input }: CleanUpEventLogsCall, found: Found): Promise<Json> {
  const { event_trigger_name: trigger, clear_older_than, batch_size, timeout, clean_invocation_logs } = input;
  findTrigger(found, trigger);
  const isNew = !(await hasEventTables(found.events));
  const old = {
    trigger,
    olderThanHours: clear_older_than,
    batchSize: batch_size,
    timeoutSeconds: timeout,
    withInvocations: clean_invocation_logs,
  };
  const { events, invocations } = isNew ? { events: 0, invocations: 0 } : await deleteOldEvents(found.events, old);
  return { deleted_event_logs: events, deleted_event_invocation_logs: invocations };
}

/** What a database built as JSON. */
function asJson(value: unknown): Json {
  return value as Json;
}
