/** Arguments of operations on events of event triggers: invoke, redeliver, list, delete. */

import { choose, nonEmptyList, object, oneOf } from "../../catalog/schema/combinators.ts";
import { int, json, nonEmptyText, nonNegativeInt } from "../../catalog/schema/scalars.ts";
import { flag, inSource, instant } from "../arguments.ts";
import { ioOperation } from "../operation.ts";

/** Final states of an event. */
const finishedStates = ["error", "delivered"] as const;
const eventLogStatuses = ["processed", "pending"] as const;

const page = { limit: nonNegativeInt().default(100), offset: nonNegativeInt().default(0) };

const invokeArguments = object({ required: { name: nonEmptyText, payload: json }, defaulted: inSource });

const redeliverArguments = object({ required: { event_id: nonEmptyText }, defaulted: inSource });

type States = readonly (typeof finishedStates)[number][];
const state = oneOf(finishedStates);
const oneState = state.transform((only): States => [only]);
const someStates = nonEmptyList(state);

const redeliverAllArguments = object({
  required: { status: choose<States>((input) => (Array.isArray(input) ? someStates : oneState)) },
  defaulted: inSource,
  // Without `name`, events of all triggers of the source. `from` is inclusive, `to` exclusive.
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
  // `clear_older_than` is in hours. `timeout` is in seconds, for each statement.
  required: { event_trigger_name: nonEmptyText, clear_older_than: nonNegativeInt() },
  defaulted: {
    ...inSource,
    batch_size: positive.default(10_000),
    timeout: positive.default(60),
    clean_invocation_logs: flag,
  },
});

export const eventLogOperations = [
  ioOperation("invoke_event_trigger", {
    endpoints: { metadata: "prefixed", query: [1] },
    input: invokeArguments,
    writes: () => true,
  }),
  ioOperation("redeliver_event", {
    endpoints: { metadata: "prefixed", query: [1] },
    input: redeliverArguments,
    writes: () => true,
  }),
  ioOperation("redeliver_events", {
    endpoints: { metadata: "prefixed" },
    input: redeliverAllArguments,
    writes: () => true,
  }),
  ioOperation("get_event_logs", {
    endpoints: { metadata: "prefixed" },
    input: logsArguments,
  }),
  ioOperation("get_event_invocation_logs", {
    endpoints: { metadata: "prefixed" },
    input: invocationsArguments,
  }),
  ioOperation("get_event_by_id", {
    endpoints: { metadata: "prefixed" },
    input: byIdArguments,
  }),
  ioOperation("cleanup_event_trigger_logs", {
    endpoints: { metadata: "prefixed" },
    input: cleanupArguments,
    writes: () => true,
  }),
  // The name without a prefix, for sources of any kind.
  ioOperation("cleanup_event_trigger_logs", {
    endpoints: { metadata: "plain" },
    anyKind: true,
    input: cleanupArguments,
    writes: () => true,
  }),
];
