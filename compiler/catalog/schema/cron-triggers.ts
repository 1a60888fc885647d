/** Schemas of cron triggers, stored and as arguments, with their extension members. */

import * as z from "zod";
import { didYouMean } from "../../../runtime/values/nearest-name.ts";
import type { JsonObject } from "../model.ts";
import type { CronTrigger, ScheduledOperation } from "../outside-sources.ts";
import { choose, type IssueDetails, namedList, object, oneOf } from "./combinators.ts";
import { cleanupConfig, cronSchedule } from "./cron.ts";
import { backoff, refuseMisspeltMembers, retryOn, signingSecret } from "./event-options.ts";
import { bool, headers, json, nonEmptyText, nonNegativeInt, text } from "./scalars.ts";
import { requestTransform, responseTransform } from "./transforms.ts";

export const defaultScheduledRetryConf = {
  num_retries: 0,
  retry_interval_seconds: 10,
  timeout_seconds: 60,
  tolerance_seconds: 21600,
};

const retryNumber = (key: keyof typeof defaultScheduledRetryConf) =>
  nonNegativeInt(`${key} cannot be a negative value`).default(defaultScheduledRetryConf[key]);

/** `retry_conf` of a scheduled trigger, with all defaults filled in. */
export const scheduledRetryConf = refuseMisspeltMembers(
  ["backoff", "retry_on"],
  object({
    about: {
      num_retries: "Number of retries of a failed call.",
      retry_interval_seconds: "Seconds between two attempts.",
      timeout_seconds: "Seconds until an attempt fails.",
      tolerance_seconds: "Seconds by which an event may be late; later ones are not delivered.",
      backoff: "Increase of the interval.",
      retry_on: "Statuses after which a call is retried. Default: all but 2xx.",
    },
    defaulted: {
      num_retries: retryNumber("num_retries"),
      retry_interval_seconds: retryNumber("retry_interval_seconds"),
      timeout_seconds: retryNumber("timeout_seconds"),
      tolerance_seconds: retryNumber("tolerance_seconds"),
    },
    optional: { backoff, retry_on: retryOn },
  }),
);

export function isDefaultScheduledRetryConf(conf: JsonObject): boolean {
  const isDefault = Object.entries(defaultScheduledRetryConf).every(([key, value]) => (conf[key] ?? value) === value);
  return isDefault && conf.backoff === undefined && conf.retry_on === undefined;
}

/**
 * Members whose misspelt names are refused, because dropping them would change when the trigger runs, or leave it
 * unsigned.
 */
const extensionMembers = ["timezone", "missed", "overlap", "operation", "signing_secret", "cleanup_config"] as const;

/** A name in the IANA database. Offsets such as `+02:00` are refused because they ignore daylight saving time. */
const timezone: z.ZodType<string> = choose<string>(
  () => [nonEmptyText],
  (input) => {
    if (typeof input !== "string" || isTimeZone(input)) return nonEmptyText;
    const hint = didYouMean(input, ["UTC", ...Intl.supportedValuesOf("timeZone")]);
    const details: IssueDetails = hint === undefined ? {} : { hint };
    return { refused: `unknown time zone "${input}": expected a name such as Europe/Berlin`, details };
  },
);

function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

const operation: z.ZodType<ScheduledOperation> = object({
  about: {
    collection: "Query collection of the saved operation.",
    query: "Name of the operation in the collection.",
    role: "Role that the operation runs with.",
    session_variables: "Session variables of the operation, by name.",
  },
  required: { collection: nonEmptyText, query: nonEmptyText, role: nonEmptyText },
  optional: { session_variables: z.record(nonEmptyText, text) },
  closed: "ScheduledOperation",
});

const aboutTrigger = {
  name: "Name of the trigger.",
  schedule: "Times, as a cron expression: minute, hour, day of the month, month, day of the week.",
  include_in_metadata: "Exports the trigger with the metadata. If `false`, `replace_metadata` keeps it.",
  webhook: "URL to call; `{{NAME}}` is replaced by the environment variable NAME. Required without `operation`.",
  payload: "JSON value that the webhook receives, or the variables of `operation`. Default: `null`.",
  retry_conf: "Attempts after a failed call.",
  headers: "Headers of each call.",
  comment: "Note, which the webhook receives too.",
  request_transform: "Changes of the request to the webhook.",
  response_transform: "Changes of the response, before it is stored.",
  timezone: "Time zone of the schedule, such as `Europe/Berlin`. Default: `UTC`.",
  missed:
    "Handling of times without a running instance: `run_latest`, `run_all` or `skip`. Default: those within `tolerance_seconds` run.",
  overlap: "`skip` skips an event while the previous one is being delivered. Default: `allow`.",
  operation: "Saved operation to run, instead of calling a webhook.",
  signing_secret: "Secret, or several during a change of secrets, with which calls are signed.",
  cleanup_config: "Regular deletion of old events.",
};
const required = { name: nonEmptyText, schedule: cronSchedule, include_in_metadata: bool };
const optional = {
  webhook: nonEmptyText,
  payload: json,
  retry_conf: scheduledRetryConf,
  headers,
  comment: text,
  request_transform: requestTransform,
  response_transform: responseTransform,
  timezone,
  missed: oneOf(["run_latest", "run_all", "skip"]),
  overlap: oneOf(["allow", "skip"]),
  operation,
  signing_secret: signingSecret,
  cleanup_config: cleanupConfig,
};

function problemOf({ webhook, operation, ...others }: Partial<CronTrigger>): string | undefined {
  if (operation === undefined) return webhook === undefined ? 'key "webhook" not found' : undefined;
  if (webhook !== undefined) return "only one of webhook or operation should be given";
  const useless = ["headers", "request_transform", "response_transform", "signing_secret"] as const;
  const given = useless.find((key) => others[key] !== undefined);
  return given === undefined ? undefined : `${given} has no effect with operation, which does not call a webhook`;
}

function checked<T extends Partial<CronTrigger>>(schema: z.ZodType<T>): z.ZodType<T> {
  return schema.superRefine((trigger, context) => {
    const problem = problemOf(trigger);
    if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
  });
}

const cronTrigger: z.ZodType<CronTrigger> = refuseMisspeltMembers(
  extensionMembers,
  checked(object({ about: aboutTrigger, required, optional })),
);
export const cronTriggers = namedList("cron triggers", cronTrigger, ({ name }) => name);

export const createCronTrigger: z.ZodType<{ readonly replace: boolean; readonly trigger: CronTrigger }> =
  refuseMisspeltMembers(
    extensionMembers,
    checked(
      object({
        about: {
          ...aboutTrigger,
          replace: "Replaces the trigger of this name; without it, an existing name is an error.",
        },
        required,
        defaulted: { replace: bool.default(false) },
        optional,
      }),
    ).transform(({ replace, ...trigger }) => ({ replace, trigger })),
  );
