/** What the log says of deliveries: one line per attempt. */
import type { Log } from "../../observe/logs/log.ts";
import { shownHeader } from "../../observe/logs/shown-header.ts";
import type { AttemptOutcome } from "./call-webhook.ts";
import type { Delivery } from "./deliver.ts";

export interface DeliveryLogSettings {
  readonly log: Log;
  readonly type: "event-trigger" | "scheduled-trigger";
  /** Payloads and answers are left out. */
  readonly redact: boolean;
  /** Failed deliveries are errors. */
  readonly failuresAreErrors: boolean;
}

/** In characters: a longer payload is left out of the log; the table of invocations has it. */
const longestPayload = 64 * 1024;

/** @param name of the trigger; `undefined`: it has none */
export function logDelivery(
  name: string | undefined,
  { webhook, attempt }: Delivery,
  outcome: AttemptOutcome,
  { log, type, redact, failuresAreErrors }: DeliveryLogSettings,
): void {
  const isFailure = outcome.kind !== "delivered";
  const level = isFailure && failuresAreErrors ? "error" : "info";
  if (!log.isEnabled(type, level)) return;
  const { url, headers } = webhook.definition;
  const request = JSON.stringify({
    url: "fromEnv" in url ? `<from_env: ${url.fromEnv}>` : url.template,
    headers: headers.map(shownHeader),
    size: attempt.text.length,
  });
  const payload = redact || attempt.text.length > longestPayload ? "" : `,"payload":${attempt.text}`;
  const about = JSON.stringify({ event_id: attempt.id, event_name: name });
  const detail = `${about.slice(0, -1)},"request":${request.slice(0, -1)}${payload}},"response":${response(outcome, redact)}}`;
  log.text(type, level, detail);
}

function response(outcome: AttemptOutcome, redact: boolean): string {
  if (outcome.kind === "refused") {
    return JSON.stringify({
      type: "transform_error",
      which: outcome.which,
      ...(!redact && { errors: outcome.errors }),
    });
  }
  if (!redact) return outcome.log.response;
  const type = outcome.kind === "delivered" ? "webhook_response" : "client_error";
  return JSON.stringify({ type, data: { status: outcome.log.status } });
}
