/** A dead letter: an event or call that failed and is not retried (`docs/how-to/dead-letters.md`). */
import { isObject } from "../../values/is-object.ts";

/** Why a letter failed, from its last attempt. */
export interface DeadLetterReason {
  /** HTTP status of the last response; `null` without a response. */
  readonly status: number | null;
  /** Beginning of the error or response; `null` if no attempt was stored. */
  readonly message: string | null;
}

export interface DeadLetter {
  readonly kind: "event" | "cron" | "one_off" | "action";
  /** Events of event triggers only. */
  readonly source: string | null;
  /** Name of the trigger or action; `null` for one-off events. */
  readonly name: string | null;
  readonly id: string;
  /** `dead`: the event was never attempted, because it was missed or overlapped another one. */
  readonly status: "error" | "dead";
  /** Time of creation, or the scheduled time. */
  readonly at: Date;
  /** Time of the last attempt; `null` if none was stored. */
  readonly failedAt: Date | null;
  readonly tries: number;
  readonly reason: DeadLetterReason;
  readonly payload: unknown;
}

export interface DeadLetterRange {
  /** Range in ISO 8601; `from` is inclusive, `to` exclusive. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const maxMessageLength = 1000;

/** @param response JSON object of an invocation log */
export function reasonOf(status: unknown, response: unknown): DeadLetterReason {
  const data = isObject(response) ? response.data : undefined;
  const message = isObject(data) ? (failureOf(data.message) ?? data.body) : undefined;
  return { status: typeof status === "number" ? status : null, message: shortened(message) };
}

/** Returns the message in the JSON text that logs contain for a call without a response, or another message as it is. */
function failureOf(message: unknown): unknown {
  if (typeof message !== "string") return message;
  const [, failure] = /^\{"type":"http_exception","message":("(?:[^"\\]|\\.)*")\}$/.exec(message) ?? [];
  return failure === undefined ? message : JSON.parse(failure);
}

export function shortened(message: unknown): string | null {
  if (message === undefined || message === null) return null;
  const text = typeof message === "string" ? message : JSON.stringify(message);
  return text.length > maxMessageLength ? `${text.slice(0, maxMessageLength)}…` : text;
}
