/** Logs deliveries, one line per attempt. */
import type { Log } from "../../observe/logs/log.ts";
import { shownHeader } from "../../observe/logs/redact.ts";
import type { AttemptOutcome } from "./call-webhook.ts";
import type { Delivery } from "./deliver.ts";

export interface DeliveryLogSettings {
  readonly log: Log;
  readonly type: "event-trigger" | "scheduled-trigger";
  /** Omits payloads and responses. */
  readonly redact: boolean;
  /** Logs failed deliveries at level `error`. */
  readonly failuresAreErrors: boolean;
}

/** Maximum length of a logged payload in characters. Longer payloads are only in the table of invocations. */
const maxPayloadLength = 64 * 1024;

/**
 * Logs one attempt.
 * @param name of the trigger; `undefined` for one-off events
 */
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
  const payload = redact || attempt.text.length > maxPayloadLength ? "" : `,"payload":${attempt.text}`;
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
