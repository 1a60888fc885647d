/** Schemas of event triggers, stored and as arguments. */

import * as z from "zod";
import { isObject } from "../../../runtime/values/is-object.ts";
import type { ColumnList, EventTrigger, QualifiedName } from "../model.ts";
import { choose, has, namedList, object } from "./combinators.ts";
import { cleanupConfig } from "./cron.ts";
import {
  backoff,
  eventCondition,
  eventOrdering,
  extensionMembers,
  refuseMisspeltMembers,
  retryOn,
  signingSecret,
} from "./event-options.ts";
import { tableName } from "./names.ts";
import { columnList } from "./permissions.ts";
import { bool, headers, int, nonEmptyText, sourceArgument, text } from "./scalars.ts";
import { requestTransform, responseTransform } from "./transforms.ts";

/** `retry_conf` of event triggers and asynchronous actions. */
export const retryConf = refuseMisspeltMembers(
  ["backoff", "retry_on"],
  object({
    about: {
      num_retries: "Number of retries of a failed delivery.",
      interval_sec: "Seconds between two attempts.",
      timeout_sec: "Seconds until an attempt fails. Default: `60`, or `timeout` of an action.",
      backoff: "Increase of the interval.",
      retry_on: "Statuses after which a delivery is retried. Default: all but 2xx.",
    },
    required: { num_retries: int, interval_sec: int },
    optional: { timeout_sec: int, backoff, retry_on: retryOn },
  }),
);

const defaultRetryConf: z.output<typeof retryConf> = { num_retries: 0, interval_sec: 10, timeout_sec: 60 };

const subscribedColumns = choose<ColumnList>(
  () => [columnList],
  (input) => (typeof input === "string" && input !== "*" ? { refused: "only * or [] allowed" } : columnList),
);

const operationSpec = object({
  about: {
    columns: 'Columns, or `"*"`: for an update, a change of one of them causes an event.',
    payload: "Columns in the event. Default: all columns.",
  },
  required: { columns: subscribedColumns },
  optional: { payload: subscribedColumns },
});
type OperationSpec = z.output<typeof operationSpec>;

const operations = { insert: operationSpec, update: operationSpec, delete: operationSpec };
const aboutDefinition = {
  insert: "Inserts that cause events.",
  update: "Updates that cause events.",
  delete: "Deletes that cause events.",
  enable_manual: "Allows events by `invoke_event_trigger`.",
};
const enableManual = bool.default(false);
const definition = object({ about: aboutDefinition, optional: operations, defaulted: { enable_manual: enableManual } });

const aboutTrigger = {
  name: "Name of the trigger, unique in its source: letters, digits, `_` and `-`, at most 42.",
  retry_conf: "Attempts after a failed delivery.",
  webhook: "URL of the webhook; `{{NAME}}` is replaced by the environment variable NAME.",
  webhook_from_env: "Name of the environment variable with the URL of the webhook, instead of `webhook`.",
  headers: "Headers of each delivery.",
  request_transform: "Changes of the request to the webhook.",
  response_transform: "Changes of the response, before it is stored.",
  cleanup_config: "Regular deletion of old events.",
  trigger_on_replication:
    "Also records changes that replication writes. Default: `false` for PostgreSQL, `true` for SQL Server.",
  condition: "Condition for rows that cause events, compiled into the database trigger.",
  ordering: "Order of deliveries of related rows. Default: none.",
  signing_secret: "Secret, or several during a change of secrets, with which deliveries are signed.",
};
const triggerOptions = {
  webhook: text,
  webhook_from_env: nonEmptyText,
  headers,
  request_transform: requestTransform,
  response_transform: responseTransform,
  cleanup_config: cleanupConfig,
  trigger_on_replication: bool,
  condition: eventCondition,
  ordering: eventOrdering,
  signing_secret: signingSecret,
};

interface TriggerParts {
  readonly webhook?: string;
  readonly webhook_from_env?: string;
  readonly insert?: OperationSpec;
  readonly update?: OperationSpec;
  readonly delete?: OperationSpec;
  readonly enable_manual: boolean;
}

/** Returns the first error of a trigger as a whole. */
function problemOf(trigger: TriggerParts): string | undefined {
  const specs = [trigger.insert, trigger.update, trigger.delete].filter((spec) => spec !== undefined);
  if (specs.length === 0 && !trigger.enable_manual) {
    return "atleast one amongst insert/update/delete/enable_manual spec must be provided";
  }
  if (trigger.webhook === undefined && trigger.webhook_from_env === undefined) {
    return "must provide webhook or webhook_from_env";
  }
  if (trigger.webhook !== undefined && trigger.webhook_from_env !== undefined) {
    return "only one of webhook or webhook_from_env should be given";
  }
  if (specs.some(({ columns }) => columns.length === 0)) return "found empty column specification";
  if (specs.some(({ payload }) => payload?.length === 0)) return "found empty payload specification";
  return undefined;
}

/** Accepts `transform` as an alias of `request_transform`, which takes precedence. */
function withTransformAlias<T>(schema: z.ZodType<T>): z.ZodType<T> {
  return z.preprocess((input) => {
    if (!isObject(input) || !has(input, "transform") || has(input, "request_transform")) return input;
    const { transform, ...others } = input;
    return { ...others, request_transform: transform };
  }, schema);
}

const storedTrigger = object({
  about: { ...aboutTrigger, definition: "Changes that cause events." },
  required: { name: nonEmptyText, definition, retry_conf: retryConf },
  optional: triggerOptions,
}).superRefine((trigger, context) => {
  const problem = problemOf({ ...trigger, ...trigger.definition });
  if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
});

/** An event trigger inside a table of a metadata document. */
const eventTrigger: z.ZodType<EventTrigger> = refuseMisspeltMembers(
  extensionMembers,
  withTransformAlias(storedTrigger),
);
export const eventTriggers = namedList("event triggers", eventTrigger, ({ name }) => name);

const maxTriggerNameLength = 42;

/** Returns true for a valid name of a new event trigger. Stored triggers with other names only get a warning. */
function isLegalEventTriggerName(name: string): boolean {
  return /^[A-Za-z]+[A-Za-z0-9_-]*$/.test(name);
}

export interface CreateEventTrigger {
  readonly source: string;
  readonly table: QualifiedName;
  readonly replace: boolean;
  readonly trigger: EventTrigger;
}

/**
 * Returns the schema of arguments of `create_event_trigger`, which contain the members of `definition` at the top
 * level.
 */
export function createEventTrigger(defaultSchema: string): z.ZodType<CreateEventTrigger> {
  const flat = object({
    about: {
      ...aboutTrigger,
      ...aboutDefinition,
      table: "The table whose changes cause events.",
      source: "Source of the table.",
      replace: "Replaces the trigger of this name on the same table; without it, an existing name is an error.",
    },
    required: { name: nonEmptyText, table: tableName(defaultSchema) },
    defaulted: {
      source: sourceArgument,
      replace: bool.default(false),
      enable_manual: enableManual,
      retry_conf: retryConf.default(defaultRetryConf),
    },
    optional: { ...operations, ...triggerOptions },
  }).superRefine((trigger, context) => {
    const problem = nameProblem(trigger.name) ?? problemOf(trigger);
    if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
  });
  const nested = flat.transform((argument): CreateEventTrigger => {
    const {
      source,
      table,
      replace,
      name,
      insert,
      update,
      delete: remove,
      enable_manual,
      retry_conf,
      ...rest
    } = argument;
    const specs = { ...(insert && { insert }), ...(update && { update }), ...(remove && { delete: remove }) };
    return { source, table, replace, trigger: { name, definition: { ...specs, enable_manual }, retry_conf, ...rest } };
  });
  return refuseMisspeltMembers(extensionMembers, withTransformAlias(nested));
}

function nameProblem(name: string): string | undefined {
  if (!isLegalEventTriggerName(name)) return "only alphanumeric and underscore and hyphens allowed for name";
  if (name.length > maxTriggerNameLength) return `event trigger name can be at most ${maxTriggerNameLength} characters`;
  return undefined;
}
