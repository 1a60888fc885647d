/** Extension members of triggers: conditions, ordering, backoff, signatures. */

import * as z from "zod";
import { isObject } from "../../../runtime/values/is-object.ts";
import { didYouMean } from "../../../runtime/values/nearest-name.ts";
import type { EventCondition, EventOrdering, SecretFromEnv } from "../model.ts";
import { choose, duplicates, list, nonEmptyList, object, oneOf, type Refusal } from "./combinators.ts";
import { double, int, jsonObject, nonEmptyText, withoutReserved } from "./scalars.ts";

/**
 * Members of an event trigger whose misspelt names are refused, because dropping them would deliver more data, or
 * deliver it unsigned.
 */
export const extensionMembers = ["condition", "ordering", "signing_secret"] as const;

/** Refuses members whose names resemble one of `members`. Other unknown members are dropped. */
export function refuseMisspeltMembers<T>(members: readonly string[], schema: z.ZodType<T>): z.ZodType<T> {
  return choose<T>(
    () => [schema],
    (input) => misspelt(input, members) ?? schema,
  );
}

function misspelt(input: unknown, members: readonly string[]): Refusal | undefined {
  if (!isObject(input)) return undefined;
  for (const key of Object.keys(input)) {
    if (members.includes(key) || standardMembers.has(key)) continue;
    const hint = didYouMean(key, members);
    if (hint !== undefined) return { refused: `unexpected key ${JSON.stringify(key)}`, details: { hint } };
  }
  return undefined;
}

/** Members that are not extensions. */
const standardMembers: ReadonlySet<string> = new Set([
  ..."name table source definition retry_conf webhook webhook_from_env headers insert update delete".split(" "),
  ..."enable_manual replace transform request_transform response_transform cleanup_config".split(" "),
  ..."trigger_on_replication num_retries interval_sec timeout_sec".split(" "),
]);

export const eventCondition: z.ZodType<EventCondition> = z.lazy(() =>
  object({
    about: {
      "new": "Condition on the row after the change.",
      old: "Condition on the row before the change.",
      _and: "All conditions hold.",
      _or: "At least one condition holds.",
      _not: "The condition does not hold.",
    },
    optional: {
      new: jsonObject,
      old: jsonObject,
      _and: list(eventCondition),
      _or: list(eventCondition),
      _not: eventCondition,
    },
    closed: "EventTriggerCondition",
  }),
);

export const eventOrdering: z.ZodType<EventOrdering> = object({
  about: {
    key: "Columns; events of rows with equal values are delivered one after the other.",
    on_error:
      "After an event that has failed: `continue` with the next one of the key, or `hold` them until it is redelivered. Default: `continue`.",
  },
  required: {
    key: nonEmptyList(nonEmptyText).refine((names) => duplicates(names).length === 0, {
      error: (issue) => `duplicate columns: ${duplicates(issue.input as string[]).join(", ")}`,
    }),
  },
  optional: { on_error: oneOf(["continue", "hold"]) },
  closed: "EventTriggerOrdering",
});

const secret = withoutReserved(
  object({
    about: { value_from_env: "Name of the environment variable that contains the secret." },
    required: { value_from_env: nonEmptyText },
    closed: "SigningSecret",
  }),
);

const secrets = nonEmptyList(secret);

export const signingSecret: z.ZodType<SecretFromEnv | readonly SecretFromEnv[]> = choose<
  SecretFromEnv | readonly SecretFromEnv[]
>(
  () => [secret, secrets],
  (input) => (Array.isArray(input) ? secrets : secret),
);

export const backoff = object({
  about: {
    factor: "Number by which each interval is multiplied; at least 1. Default: `1`.",
    max_interval_sec: "Maximum of an interval in seconds.",
    jitter: "Share of the interval that is random, from 0 to 1. Default: `0`.",
  },
  optional: {
    factor: double.refine((factor) => factor >= 1 && Number.isFinite(factor), "factor must be at least 1"),
    max_interval_sec: int.refine((seconds) => seconds > 0, "max_interval_sec must be positive"),
    jitter: double.refine((share) => share >= 0 && share <= 1, "jitter must be between 0 and 1"),
  },
  closed: "EventTriggerBackoff",
});

export const retryOn = nonEmptyList(
  int.refine((status) => status >= 300 && status <= 599, "statuses in retry_on must be between 300 and 599"),
);
