/** What the log says of deliveries: one line per attempt, and every ten minutes how many events there were. */
import type { CallOutcome, WebhookAttempt } from "../automation/call-webhook.ts";
import type { Lane } from "../automation/deliver.ts";
import type { WebhookHeader } from "../definitions/input-validation.ts";
import type { Log } from "../observe/log.ts";
import { isSecretName } from "../observe/redact.ts";
import type { QueuedEvent } from "./queue.ts";

export interface DeliveryLogSettings {
  readonly log: Log;
  /** Payloads and answers are left out. */
  readonly redact: boolean;
  /** Failed deliveries are errors. */
  readonly failuresAreErrors: boolean;
}

/** In characters: a longer payload is left out of the log; the table of invocations has it. */
const longestPayload = 64 * 1024;

export function logDelivery(
  lane: Lane<QueuedEvent>,
  attempt: WebhookAttempt,
  outcome: CallOutcome,
  { log, redact, failuresAreErrors }: DeliveryLogSettings,
): void {
  const isFailure = outcome.kind !== "delivered";
  const level = isFailure && failuresAreErrors ? "error" : "info";
  if (!log.isEnabled("event-trigger", level)) return;
  const { url, headers } = lane.webhook.definition;
  const request = JSON.stringify({
    url: "fromEnv" in url ? `<from_env: ${url.fromEnv}>` : url.template,
    headers: headers.map(shownHeader),
    size: attempt.text.length,
  });
  const payload = redact || attempt.text.length > longestPayload ? "" : `,"payload":${attempt.text}`;
  const about = JSON.stringify({ event_id: attempt.id, event_name: lane.name });
  const detail = `${about.slice(0, -1)},"request":${request.slice(0, -1)}${payload}},"response":${response(outcome, redact)}}`;
  log.text("event-trigger", level, detail);
}

function response(outcome: CallOutcome, redact: boolean): string {
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

function shownHeader(header: WebhookHeader): object {
  const { name } = header;
  if (!("value" in header)) return { name, value: `<from_env: ${header.valueFromEnv}>` };
  return { name, value: isSecretName(name) ? "<REDACTED>" : header.value };
}

const tenMinutes = 10 * 60 * 1000;

/** Counts looks at the queues of all sources. */
export class FetchLog {
  readonly #log: Log;
  #events: Record<string, number> = {};
  #fetches = 0;
  readonly #timer: NodeJS.Timeout;

  constructor(log: Log, milliseconds = tenMinutes) {
    this.#log = log;
    this.#timer = setInterval(() => this.#write(), milliseconds);
    this.#timer.unref();
  }

  add(source: string, events: number): void {
    this.#events[source] = (this.#events[source] ?? 0) + events;
    this.#fetches++;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #write(): void {
    const detail = { num_events_fetched: this.#events, num_fetches: this.#fetches };
    this.#events = {};
    this.#fetches = 0;
    this.#log.info("event-trigger-process", detail);
  }
}
