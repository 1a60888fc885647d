/** The events of event triggers: made by hand, delivered again, looked at, deleted. */

import { choose, nonEmptyList, object, oneOf } from "../../catalog/schema/combinators.ts";
import { int, json, nonEmptyText, nonNegativeInt } from "../../catalog/schema/scalars.ts";
import { flag, inSource, instant } from "../arguments.ts";
import { eventLogStatuses, finishedStates, type RedeliverEvents } from "../io.ts";
import { operation } from "../operation.ts";

const page = { limit: nonNegativeInt().default(100), offset: nonNegativeInt().default(0) };

const invokeArguments = object({ required: { name: nonEmptyText, payload: json }, defaulted: inSource });

const redeliverArguments = object({ required: { event_id: nonEmptyText }, defaulted: inSource });

type States = RedeliverEvents["status"];
const state = oneOf(finishedStates);
const oneState = state.transform((only): States => [only]);
const someStates = nonEmptyList(state);

const redeliverAllArguments = object({
  required: { status: choose<States>((input) => (Array.isArray(input) ? someStates : oneState)) },
  defaulted: inSource,
  optional: { name: nonEmptyText, from: instant, to: instant },
});

const logsArguments = object({
  required: { name: nonEmptyText },
  defaulted: { ...inSource, ...page },
  optional: {
    status: oneOf(eventLogStatuses, () => "event logs status can only be one of the following: processed or pending"),
  },
});

const invocationsArguments = object({ required: { name: nonEmptyText }, defaulted: { ...inSource, ...page } });

const byIdArguments = object({
  required: { event_id: nonEmptyText },
  defaulted: { ...inSource, invocation_log_limit: page.limit, invocation_log_offset: page.offset },
});

const positive = int.refine((value) => value > 0, "expected a positive number");

const cleanupArguments = object({
  required: { event_trigger_name: nonEmptyText, clear_older_than: nonNegativeInt() },
  defaulted: {
    ...inSource,
    batch_size: positive.default(10_000),
    timeout: positive.default(60),
    clean_invocation_logs: flag,
  },
});

export const eventLogOperations = [
  operation("invoke_event_trigger", {
    effect: "io",
    endpoints: { metadata: "prefixed", query: [1] },
    input: invokeArguments,
    call: (input, { kind, path }) => ({ effect: "io", operation: "invoke_event_trigger", kind, input, path }),
  }),
  operation("redeliver_event", {
    effect: "io",
    endpoints: { metadata: "prefixed", query: [1] },
    input: redeliverArguments,
    call: (input, { kind, path }) => ({ effect: "io", operation: "redeliver_event", kind, input, path }),
  }),
  operation("redeliver_events", {
    effect: "io",
    endpoints: { metadata: "prefixed" },
    input: redeliverAllArguments,
    call: (input, { kind, path }) => ({ effect: "io", operation: "redeliver_events", kind, input, path }),
  }),
  operation("get_event_logs", {
    effect: "io",
    endpoints: { metadata: "prefixed" },
    input: logsArguments,
    call: (input, { kind, path }) => ({ effect: "io", operation: "get_event_logs", kind, input, path }),
  }),
  operation("get_event_invocation_logs", {
    effect: "io",
    endpoints: { metadata: "prefixed" },
    input: invocationsArguments,
    call: (input, { kind, path }) => ({ effect: "io", operation: "get_event_invocation_logs", kind, input, path }),
  }),
  operation("get_event_by_id", {
    effect: "io",
    endpoints: { metadata: "prefixed" },
    input: byIdArguments,
    call: (input, { kind, path }) => ({ effect: "io", operation: "get_event_by_id", kind, input, path }),
  }),
  operation("cleanup_event_trigger_logs", {
    effect: "io",
    endpoints: { metadata: "prefixed" },
    input: cleanupArguments,
    call: (input, { kind, path }) => ({ effect: "io", operation: "cleanup_event_trigger_logs", kind, input, path }),
  }),
  // Its other spelling, for sources of any kind.
  operation("cleanup_event_trigger_logs", {
    effect: "io",
    endpoints: { metadata: "plain" },
    input: cleanupArguments,
    call: (input, { path }) => ({ effect: "io", operation: "cleanup_event_trigger_logs", input, path }),
  }),
];
