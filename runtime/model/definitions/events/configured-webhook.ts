/** Converts webhooks of the metadata and of one-off events to definitions, with the defaults of their retries. */
import { isObject } from "../../../values/is-object.ts";
import type { WebhookHeader } from "../input-validation.ts";
import type { ConfiguredUrl, EventCleanup, RetryPolicy, WebhookDefinition } from "./event-trigger.ts";

export type ConfiguredHeader =
  | { readonly name: string; readonly value: string }
  | { readonly name: string; readonly value_from_env: string };

export interface ConfiguredWebhook {
  readonly headers?: readonly ConfiguredHeader[];
  readonly request_transform?: object;
  readonly response_transform?: object;
  readonly signing_secret?: SecretReference | readonly SecretReference[];
}

interface SecretReference {
  readonly value_from_env: string;
}

/** A validated JSON object. */
type Checked = Readonly<Record<string, unknown>>;

/** Defaults of `backoff`. */
const defaultBackoff = { factor: 2, max_interval_sec: 3600, jitter: 0 } as const;

export function webhookOf(configured: ConfiguredWebhook, url: ConfiguredUrl, retry: RetryPolicy): WebhookDefinition {
  const { headers = [], request_transform, response_transform, signing_secret = [] } = configured;
  const secrets = [signing_secret].flat();
  return {
    url,
    headers: headers.map(headerOf),
    retry,
    ...(request_transform && { requestTransform: request_transform }),
    ...(response_transform && { responseTransform: response_transform }),
    ...(secrets.length > 0 && { signingSecrets: secrets.map(({ value_from_env }) => value_from_env) }),
  };
}

const headerOf = (header: ConfiguredHeader): WebhookHeader =>
  "value" in header
    ? { name: header.name, value: header.value }
    : { name: header.name, valueFromEnv: header.value_from_env };

/** Converts `retry_conf` of an event trigger. */
export function eventRetry(conf: Checked): RetryPolicy {
  return {
    retries: Number(conf.num_retries),
    intervalSeconds: Number(conf.interval_sec),
    timeoutSeconds: Number(conf.timeout_sec ?? 60),
    ...retryOptions(conf),
  };
}

/** Converts `retry_conf` of a schedule, and fills in its defaults. */
export function scheduledRetry(conf: Checked): RetryPolicy & { readonly toleranceSeconds: number } {
  return {
    retries: Number(conf.num_retries ?? 0),
    intervalSeconds: Number(conf.retry_interval_seconds ?? 10),
    timeoutSeconds: Number(conf.timeout_seconds ?? 60),
    toleranceSeconds: Number(conf.tolerance_seconds ?? 21_600),
    ...retryOptions(conf),
  };
}

function retryOptions({ backoff, retry_on }: Checked): Pick<RetryPolicy, "backoff" | "retryOn"> {
  const { factor, max_interval_sec, jitter } = { ...defaultBackoff, ...(isObject(backoff) && backoff) };
  return {
    ...(isObject(backoff) && {
      backoff: { factor: Number(factor), maxIntervalSeconds: Number(max_interval_sec), jitter: Number(jitter) },
    }),
    ...(Array.isArray(retry_on) && { retryOn: retry_on.map(Number) }),
  };
}

/** Converts `cleanup_config`. */
export function cleanupOf(config: Checked): EventCleanup {
  return {
    schedule: String(config.schedule),
    clearOlderThanHours: Number(config.clear_older_than),
    batchSize: Number(config.batch_size ?? 10_000),
    timeoutSeconds: Number(config.timeout ?? 60),
    cleanInvocationLogs: config.clean_invocation_logs === true,
    paused: config.paused === true,
  };
}
