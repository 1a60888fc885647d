/**
 * Compares the delivered events with the guarantees: no event is lost or delivered again after its success was stored,
 * and the events of each key arrive in order.
 */
import type { Arrival } from "./event-receiver.ts";

/** A row of `event_log` after the run, with the times of its stored successes. */
export interface KeptEvent {
  readonly id: string;
  readonly trigger: string;
  readonly key: number;
  readonly number: number;
  readonly delivered: boolean;
  /** Milliseconds of the database's clock, which this machine shares. */
  readonly successes: readonly number[];
}

/**
 * Tolerance in milliseconds. Delivery is at-least-once: an instance without processor time may send until its lease of
 * five seconds has ended, after another instance has delivered. A request may therefore arrive after a success was
 * stored.
 */
const late = 7000;

/** Checks all guarantees. @returns violations, at most a few of each kind */
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
    byEvent.get(id)?.some(({ arrived }) => arrived > first + late),
  );
  if (again.length > 0) {
    const [event] = again;
    const times = arrivalsAround(event?.successes[0], byEvent.get(event?.id ?? ""));
    broken.push(`${again.length} events came after their success, such as ${describe(event)}: ${times}`);
  }
  const known = new Set(events.map(({ id }) => id));
  const invented = arrivals.filter(({ event }) => !known.has(event));
  if (invented.length > 0) broken.push(`${invented.length} arrivals of unknown events`);
  return [...broken, ...disorder(arrivals.filter(({ trigger }) => trigger === ordered))];
}

/** Checks that each number of a key arrives only after the previous one has been acknowledged. */
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

/** Lists the times of each arrival and response, in seconds from the first stored success. */
function arrivalsAround(success = 0, arrivals: readonly Arrival[] = []): string {
  const from = (time: number | undefined): string =>
    time === undefined ? "never" : `${((time - success) / 1000).toFixed(2)} s`;
  const times = arrivals.map(({ arrived, answered }) => {
    return `arrived ${from(arrived)}, answered ${from(answered?.at)} with ${answered?.status}`;
  });
  return times.join("; ");
}

function describe(event: KeptEvent | undefined): string {
  return event === undefined ? "" : `${event.trigger} ${event.key}/${event.number} (${event.id})`;
}
