/** Deadlines of calls and of bodies: one timer for all of them, set to the earliest. */

export interface DeadlineWatcher {
  /** The time is over; ends the watch. */
  timeIsOver(): void;
}

interface Watched {
  readonly watcher: DeadlineWatcher;
  /** By the clock of `performance.now`. */
  readonly end: number;
}

/** Longer ones would end at once (`setTimeout`). */
const longestTimeout = 2 ** 31 - 1;

/** In places that are used again, as in `outbound/caller-watch.ts`. */
const watched: (Watched | null)[] = [];
const freePlaces: number[] = [];
let timer: NodeJS.Timeout | undefined;
let next = Number.POSITIVE_INFINITY;

/**
 * Calls and bodies end long before their time: most never touch the timer, which then finds nothing to end.
 * @returns what to end the watch with, which has to be done once
 */
export function watchDeadline(milliseconds: number, watcher: DeadlineWatcher): number {
  const end = performance.now() + milliseconds;
  const place = freePlaces.pop() ?? watched.length;
  watched[place] = { watcher, end };
  if (end < next) wakeAt(end);
  return place;
}

/** The place belongs to another watch from now on. */
export function unwatchDeadline(place: number): void {
  watched[place] = null;
  freePlaces.push(place);
}

/** A call keeps its process alive by its connection. */
function wakeAt(end: number): void {
  clearTimeout(timer);
  next = end;
  const milliseconds = Math.max(1, Math.ceil(end - performance.now()));
  timer = setTimeout(look, Math.min(milliseconds, longestTimeout)).unref();
}

function look(): void {
  const now = performance.now();
  next = Number.POSITIVE_INFINITY;
  let first = Number.POSITIVE_INFINITY;
  for (const each of watched) {
    if (each === null) continue;
    if (each.end <= now) each.watcher.timeIsOver();
    else if (each.end < first) first = each.end;
  }
  if (first < next) wakeAt(first);
}
