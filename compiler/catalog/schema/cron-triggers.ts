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
const timezone: z.ZodType<string> = choose<string>((input) => {
  if (typeof input !== "string" || isTimeZone(input)) return nonEmptyText;
  const hint = didYouMean(input, ["UTC", ...Intl.supportedValuesOf("timeZone")]);
  const details: IssueDetails = hint === undefined ? {} : { hint };
  return { refused: `unknown time zone "${input}": expected a name such as Europe/Berlin`, details };
});

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
  required: { collection: nonEmptyText, query: nonEmptyText, role: nonEmptyText },
  optional: { session_variables: z.record(nonEmptyText, text) },
  closed: "ScheduledOperation",
});

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
  checked(object({ required, optional })),
);
export const cronTriggers = namedList("cron triggers", cronTrigger, ({ name }) => name);

export const createCronTrigger: z.ZodType<{ readonly replace: boolean; readonly trigger: CronTrigger }> =
  refuseMisspeltMembers(
    extensionMembers,
    checked(object({ required, defaulted: { replace: bool.default(false) }, optional })).transform(
      ({ replace, ...trigger }) => ({ replace, trigger }),
    ),
  );
