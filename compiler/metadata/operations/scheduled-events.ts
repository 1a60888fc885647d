/** Arguments of operations on one-off events and events of cron triggers, which are rows of the metadata database. */

import { list, object, oneOf } from "../../catalog/schema/combinators.ts";
import { defaultScheduledRetryConf, scheduledRetryConf } from "../../catalog/schema/cron-triggers.ts";
import { signingSecret } from "../../catalog/schema/event-options.ts";
import { bool, headers, json, nonEmptyText, nonNegativeInt, text } from "../../catalog/schema/scalars.ts";
import { requestTransform, responseTransform } from "../../catalog/schema/transforms.ts";
import { instant, oneOrSome, storableText } from "../arguments.ts";
import { ioOperation } from "../operation.ts";

export type EventKind = "one_off" | "cron";

/** Final states of an event. */
const endedStatuses = ["delivered", "error", "dead"] as const;
export const eventStatuses = ["scheduled", "locked", ...endedStatuses] as const;

/** Columns returned by `get_scheduled_events`, in order. */
export const eventColumns = {
  one_off: [
    "id",
    "webhook_conf",
    "scheduled_time",
    "retry_conf",
    "payload",
    "header_conf",
    "status",
    "tries",
    "created_at",
    "next_retry_at",
    "comment",
    "request_transform",
    "response_transform",
  ],
  cron: ["id", "trigger_name", "scheduled_time", "status", "tries", "created_at", "next_retry_at"],
} as const;

const createArguments = object({
  about: {
    webhook: "URL to call; `{{NAME}}` is replaced by the environment variable NAME.",
    schedule_at: "Time of the call in ISO 8601, with a zone.",
    payload: "JSON value that the webhook receives.",
    headers: "Headers of the call.",
    retry_conf: "Attempts after a failed call.",
    comment: "Note, which the webhook receives too.",
    request_transform: "Changes of the request to the webhook.",
    response_transform: "Changes of the response, before it is stored.",
    signing_secret: "Secret, or several during a change of secrets, with which the call is signed.",
  },
  required: { webhook: nonEmptyText, schedule_at: instant },
  defaulted: {
    payload: json.default(null),
    headers: headers.default([]),
    retry_conf: scheduledRetryConf.default(defaultScheduledRetryConf),
  },
  optional: {
    comment: text,
    request_transform: requestTransform,
    response_transform: responseTransform,
    signing_secret: signingSecret,
  },
});

const kind = oneOf<EventKind>(["one_off", "cron"]);
const page = { optional: { limit: nonNegativeInt(), offset: nonNegativeInt() } };

/** Returns the schema of `order_by` for these columns. */
const orderBy = <const C extends string>(columns: readonly C[]) =>
  list(
    object({
      about: {
        column: "Column of the response.",
        type: "Direction. Default: `asc`.",
        nulls: "Position of `null`. Default: `last` if ascending, `first` if descending.",
      },
      required: { column: oneOf(columns) },
      optional: { type: oneOf(["asc", "desc"]), nulls: oneOf(["first", "last"]) },
    }),
  ).default([]);

const getArguments = object({
  about: {
    type: "`one_off` for events of `create_scheduled_event`, `cron` for those of cron triggers.",
    status: "States of the events; `[]` for all.",
    get_rows_count: "Adds the total number as `count` to the response.",
    order_by: "Order of the events; `[]` for the scheduled time.",
    trigger_name: "Name of the cron trigger; required for `cron`.",
    from: "Scheduled time of the earliest event. Default: no limit.",
    to: "Scheduled time after the latest event. Default: no limit.",
    limit: "Maximum number of events. Default: no limit.",
    offset: "Number of events to skip. Default: `0`.",
  },
  required: { type: kind },
  defaulted: {
    status: list(oneOf(eventStatuses)).default([]),
    get_rows_count: bool.default(false),
    order_by: orderBy([...new Set([...eventColumns.one_off, ...eventColumns.cron])]),
  },
  optional: { ...page.optional, trigger_name: nonEmptyText, from: instant, to: instant },
}).superRefine(({ type, trigger_name, order_by }, context) => {
  const refuse = (message: string) => context.addIssue({ code: "custom", message });
  if (type === "cron" && trigger_name === undefined) refuse('key "trigger_name" not found');
  const columns: readonly string[] = eventColumns[type];
  const unknown = order_by.find(({ column }) => !columns.includes(column));
  if (unknown !== undefined) refuse(`events of type ${type} have no column "${unknown.column}"`);
});

const invocationArguments = object({
  about: {
    type: "`one_off` for events of `create_scheduled_event`, `cron` for those of cron triggers.",
    get_rows_count: "Adds the total number as `count` to the response.",
    event_id: "Id of an event. Default: all events.",
    trigger_name: "Name of the cron trigger; required for `cron` without `event_id`.",
    limit: "Maximum number of attempts. Default: no limit.",
    offset: "Number of attempts to skip. Default: `0`.",
  },
  required: { type: kind },
  defaulted: { get_rows_count: bool.default(false) },
  optional: { ...page.optional, event_id: storableText, trigger_name: nonEmptyText },
}).superRefine(({ type, event_id, trigger_name }, context) => {
  if (type === "cron" && event_id === undefined && trigger_name === undefined) {
    context.addIssue({ code: "custom", message: 'key "trigger_name" not found' });
  }
});

const typeAndId = object({
  about: {
    type: "`one_off` for events of `create_scheduled_event`, `cron` for those of cron triggers.",
    event_id: "Id of the event.",
  },
  required: { type: kind, event_id: storableText },
});

const redeliverAllArguments = object({
  about: {
    type: "`one_off` for events of `create_scheduled_event`, `cron` for those of cron triggers.",
    status: "State of the events: `error`, `dead`, `delivered`, or a list of these.",
    trigger_name: "Name of the cron trigger. Default: all cron triggers.",
    from: "Scheduled time of the earliest event. Default: no limit.",
    to: "Scheduled time after the latest event. Default: no limit.",
  },
  required: { type: kind, status: oneOrSome(oneOf(endedStatuses)) },
  optional: { trigger_name: nonEmptyText, from: instant, to: instant },
}).refine(
  ({ type, trigger_name }) => type === "cron" || trigger_name === undefined,
  "one-off events have no cron trigger: drop trigger_name, or use the type cron",
);

export const scheduledEventOperations = [
  ioOperation("create_scheduled_event", {
    about: "Calls a webhook once, at a given time.",
    endpoints: { metadata: "plain", query: [1] },
    input: createArguments,
  }),
  ioOperation("delete_scheduled_event", {
    about: "Deletes a one-off event or an event of a cron trigger.",
    endpoints: { metadata: "plain" },
    input: typeAndId,
  }),
  ioOperation("redeliver_scheduled_event", {
    about:
      "Delivers a one-off event or an event of a cron trigger again, however old it is. The event must have ended: as `delivered`, `error` or `dead`.",
    endpoints: { metadata: "plain" },
    input: typeAndId,
    writes: () => true,
  }),
  ioOperation("redeliver_scheduled_events", {
    about: "Delivers all ended one-off events, or events of cron triggers, of some states again.",
    endpoints: { metadata: "plain" },
    input: redeliverAllArguments,
    writes: () => true,
  }),
  ioOperation("get_scheduled_events", {
    about: "Returns one-off events, or the events of a cron trigger.",
    endpoints: { metadata: "plain" },
    input: getArguments,
  }),
  ioOperation("get_scheduled_event_invocations", {
    about: "Returns the attempts of one-off events, or of the events of a cron trigger.",
    endpoints: { metadata: "plain" },
    input: invocationArguments,
  }),
];
