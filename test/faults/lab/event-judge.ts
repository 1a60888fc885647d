/** What events promise, held against what arrived: none lost, none again after its success was kept, each key in order. */
import type { Arrival } from "./event-receiver.ts";

/** A row of `event_log` at the end, with the times of its kept successes. */
export interface KeptEvent {
  readonly id: string;
  readonly trigger: string;
  readonly key: number;
  readonly number: number;
  readonly delivered: boolean;
  /** Milliseconds of the database's clock, which this machine shares. */
  readonly successes: readonly number[];
}

/** A result is written within this time after it was logged, unless its writing failed and was tried again. */
const writing = 2000;

/** @returns what does not hold, at most a few of each kind */
export function judge(events: readonly KeptEvent[], arrivals: readonly Arrival[], ordered: string): readonly string[] {
  const broken: string[] = [];
  const byEvent = grouped(arrivals, ({ event }) => event);
  const lost = events.filter(({ id }) => !byEvent.get(id)?.some(({ answered }) => answered?.status === 200));
  if (lost.length > 0) broken.push(`${lost.length} events never arrived, such as ${describe(lost[0])}`);
  const open = events.filter(({ delivered }) => !delivered);
  if (open.length > 0) broken.push(`${open.length} events are not delivered, such as ${describe(open[0])}`);
  const twice = events.filter(({ successes }) => successes.length > 1);
  if (twice.length > 0) broken.push(`${twice.length} events succeeded twice, such as ${describe(twice[0])}`);
  const again = events.filter(({ id, successes: [first = Number.POSITIVE_INFINITY] }) =>
    byEvent.get(id)?.some(({ arrived }) => arrived > first + writing),
  );
  if (again.length > 0) broken.push(`${again.length} events came after their success, such as ${describe(again[0])}`);
  const known = new Set(events.map(({ id }) => id));
  const invented = arrivals.filter(({ event }) => !known.has(event));
  if (invented.length > 0) broken.push(`${invented.length} arrivals of unknown events`);
  return [...broken, ...disorder(arrivals.filter(({ trigger }) => trigger === ordered))];
}

/** Each number of a key arrives only after the one before has been answered with a success. */
function disorder(arrivals: readonly Arrival[]): readonly string[] {
  const wrong: string[] = [];
  for (const [key, ofKey] of grouped(arrivals, ({ key: of }) => of)) {
    const succeeded = new Map<number, number>();
    for (const { number, answered } of ofKey) {
      if (answered?.status !== 200) continue;
      succeeded.set(number, Math.min(succeeded.get(number) ?? Number.POSITIVE_INFINITY, answered.at));
    }
    for (const { number, arrived } of ofKey) {
      if (number === 1 || (succeeded.get(number - 1) ?? Number.POSITIVE_INFINITY) <= arrived) continue;
      wrong.push(`${number} of key ${key} came before ${number - 1} was done`);
    }
  }
  return wrong.length === 0 ? [] : [`${wrong.length} arrivals out of order, such as: ${wrong[0]}`];
}

function grouped<Key>(arrivals: readonly Arrival[], keyOf: (arrival: Arrival) => Key): ReadonlyMap<Key, Arrival[]> {
  const groups = new Map<Key, Arrival[]>();
  for (const arrival of arrivals) {
    const key = keyOf(arrival);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [arrival]);
    else group.push(arrival);
  }
  return groups;
}

function describe(event: KeptEvent | undefined): string {
  return event === undefined ? "" : `${event.trigger} ${event.key}/${event.number} (${event.id})`;
}
