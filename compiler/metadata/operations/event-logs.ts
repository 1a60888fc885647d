/** Arguments of operations on events of event triggers: invoke, redeliver, list, delete. */

import { object, oneOf } from "../../catalog/schema/combinators.ts";
import { int, json, nonEmptyText, nonNegativeInt } from "../../catalog/schema/scalars.ts";
import { flag, inSource, instant, oneOrSome } from "../arguments.ts";
import { ioOperation } from "../operation.ts";

/** Final states of an event. */
const finishedStates = ["error", "delivered"] as const;
const eventLogStatuses = ["processed", "pending"] as const;

const page = { limit: nonNegativeInt().default(100), offset: nonNegativeInt().default(0) };

const invokeArguments = object({
  about: { name: "Name of the event trigger.", payload: "Value of `event.data.new` in the delivery." },
  required: { name: nonEmptyText, payload: json },
  defaulted: inSource,
});

const redeliverArguments = object({
  about: { event_id: "Id of the event." },
  required: { event_id: nonEmptyText },
  defaulted: inSource,
});

const redeliverAllArguments = object({
  about: {
    status: "State of the events: `error`, `delivered`, or a list of both.",
    name: "Name of the event trigger. Default: all triggers of the source.",
    from: "Time of the earliest event. Default: no limit.",
    to: "Time after the latest event. Default: no limit.",
  },
  required: {
    status: oneOrSome(oneOf(finishedStates)),
  },
  defaulted: inSource,
  // Without `name`, events of all triggers of the source. `from` is inclusive, `to` exclusive.
  optional: { name: nonEmptyText, from: instant, to: instant },
});

const logsArguments = object({
  about: {
    name: "Name of the event trigger.",
    limit: "Maximum number of entries.",
    offset: "Number of entries to skip.",
    status: "State of the events: `pending` ones wait for delivery. Default: both.",
    outcome: "Outcome of processed events: `delivered` or `error`. Default: all.",
    from: "Time of the earliest event. Default: no limit.",
    to: "Time after the latest event. Default: no limit.",
  },
  required: { name: nonEmptyText },
  defaulted: { ...inSource, ...page },
  optional: {
    status: oneOf(eventLogStatuses, () => "event logs status can only be one of the following: processed or pending"),
    outcome: oneOf(finishedStates),
    from: instant,
    to: instant,
  },
}).refine(({ status, outcome }) => status !== "pending" || outcome === undefined, "pending events have no outcome");

const invocationsArguments = object({
  about: {
    name: "Name of the event trigger.",
    limit: "Maximum number of entries.",
    offset: "Number of entries to skip.",
  },
  required: { name: nonEmptyText },
  defaulted: { ...inSource, ...page },
});

const byIdArguments = object({
  about: {
    event_id: "Id of the event.",
    invocation_log_limit: "Maximum number of attempts to return.",
    invocation_log_offset: "Number of attempts to skip.",
  },
  required: { event_id: nonEmptyText },
  defaulted: { ...inSource, invocation_log_limit: page.limit, invocation_log_offset: page.offset },
});

const positive = int.refine((value) => value > 0, "expected a positive number");

const cleanupArguments = object({
  about: {
    event_trigger_name: "Name of the event trigger.",
    clear_older_than: "Age in hours at which finished events are deleted.",
    batch_size: "Number of events that one statement deletes.",
    timeout: "Seconds until a statement is canceled.",
    clean_invocation_logs: "Also deletes the logs of attempts.",
  },
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
    about:
      "Creates an event of an event trigger by hand, with your own payload. The trigger must have `enable_manual`.",
    endpoints: { metadata: "prefixed", query: [1] },
    input: invokeArguments,
    writes: () => true,
  }),
  ioOperation("redeliver_event", {
    about: "Delivers an event again.",
    endpoints: { metadata: "prefixed", query: [1] },
    input: redeliverArguments,
    writes: () => true,
  }),
  ioOperation("redeliver_events", {
    about: "Delivers all events of a state again, optionally of one trigger or time span.",
    endpoints: { metadata: "prefixed" },
    input: redeliverAllArguments,
    writes: () => true,
  }),
  ioOperation("get_event_logs", {
    about: "Returns the events of an event trigger, the newest first.",
    endpoints: { metadata: "prefixed" },
    input: logsArguments,
  }),
  ioOperation("get_event_invocation_logs", {
    about: "Returns the delivery attempts of an event trigger, the newest first.",
    endpoints: { metadata: "prefixed" },
    input: invocationsArguments,
  }),
  ioOperation("get_event_by_id", {
    about: "Returns one event with its delivery attempts.",
    endpoints: { metadata: "prefixed" },
    input: byIdArguments,
  }),
  ioOperation("cleanup_event_trigger_logs", {
    about: "Deletes old events of an event trigger now.",
    endpoints: { metadata: "prefixed" },
    input: cleanupArguments,
    writes: () => true,
  }),
  // The name without a prefix, for sources of any kind.
  ioOperation("cleanup_event_trigger_logs", {
    about: "Deletes old events of an event trigger now.",
    endpoints: { metadata: "plain" },
    anyKind: true,
    input: cleanupArguments,
    writes: () => true,
  }),
];
