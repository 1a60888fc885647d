/** Dead letters of event triggers, which are rows of their source. */
import { EngineError } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import type { EventSource } from "../events/event-source.ts";
import { readEvent, readEvents } from "../events/logs.ts";
import { type DeadLetter, type DeadLetterRange, reasonOf } from "./dead-letter.ts";

interface FailedEvents extends DeadLetterRange {
  readonly triggers: readonly string[];
  /** Maximum number of events. */
  readonly count: number;
}

/** Returns the failed events of triggers, newest first and without reasons. */
export async function failedEvents(
  source: EventSource,
  { triggers, from, to, count }: FailedEvents,
): Promise<readonly DeadLetter[]> {
  const letters: DeadLetter[] = [];
  for (const trigger of triggers) {
    const rows = await readEvents(source, { trigger, which: "error", from, to }, { limit: count, offset: 0 });
    letters.push(...rows.map((row) => letterOf(source.database.name, row)));
  }
  return letters.sort((one, other) => other.at.getTime() - one.at.getTime()).slice(0, count);
}

/** Returns the letter with the reason and time of its last attempt. */
export async function withReason(source: EventSource, letter: DeadLetter): Promise<DeadLetter> {
  const found = await readEvent(source, letter.id, { limit: 1, offset: 0 });
  const [last] = found?.invocations ?? [];
  if (!isObject(last)) return letter;
  return { ...letter, failedAt: timeOf(last.created_at), reason: reasonOf(last.http_status, last.response) };
}

/** Returns true if the event failed and has not been redelivered. */
export async function isDeadEvent(source: EventSource, id: string): Promise<boolean> {
  const found = await readEvent(source, id, { limit: 0, offset: 0 });
  return isObject(found?.event) && isSet(found.event.error) && !isSet(found.event.archived);
}

function letterOf(source: string, row: unknown): DeadLetter {
  if (!isObject(row)) throw new EngineError("unexpected", "$", "an event of the database cannot be read");
  return {
    kind: "event",
    source,
    name: String(row.trigger_name),
    id: String(row.id),
    status: "error",
    at: timeOf(row.created_at),
    failedAt: null,
    tries: Number(row.tries),
    reason: { status: null, message: null },
    payload: row.payload,
  };
}

/** SQL Server returns bits as numbers or booleans in JSON. */
const isSet = (value: unknown): boolean => value === true || value === 1;

/** Parses a time of the database; PostgreSQL stores those of events in UTC without a zone. */
function timeOf(value: unknown): Date {
  const text = String(value);
  return new Date(/(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`);
}
