/** Deadlines of calls and request bodies. All deadlines share one timer, which is set to the earliest one. */

export interface DeadlineWatcher {
  /** Called at or after the deadline; must end the watch. */
  onDeadline(): void;
}

interface Watched {
  readonly watcher: DeadlineWatcher;
  /** A time of `performance.now`. */
  readonly end: number;
}

/** The maximum delay of `setTimeout`, which fires immediately for longer ones. */
const maxTimeout = 2 ** 31 - 1;
/** Slots are reused, as in `outbound/exchange.ts`. */
const watched: (Watched | null)[] = [];
const freeSlots: number[] = [];
let timer: NodeJS.Timeout | undefined;
let next = Number.POSITIVE_INFINITY;

/**
 * Watches a deadline. Most calls and bodies end long before their deadline, without resetting the timer.
 * @returns the slot to pass to `unwatchDeadline`, exactly once
 */
export function watchDeadline(milliseconds: number, watcher: DeadlineWatcher): number {
  const end = performance.now() + milliseconds;
  const slot = freeSlots.pop() ?? watched.length;
  watched[slot] = { watcher, end };
  if (end < next) wakeAt(end);
  return slot;
}

/** Ends a watch; its slot may be reused afterwards. */
export function unwatchDeadline(slot: number): void {
  watched[slot] = null;
  freeSlots.push(slot);
}

/** Sets the timer. It does not keep the process alive: open connections do that. */
function wakeAt(end: number): void {
  clearTimeout(timer);
  next = end;
  const milliseconds = Math.max(1, Math.ceil(end - performance.now()));
  timer = setTimeout(checkDeadlines, Math.min(milliseconds, maxTimeout)).unref();
}

function checkDeadlines(): void {
  const now = performance.now();
  next = Number.POSITIVE_INFINITY;
  let first = Number.POSITIVE_INFINITY;
  for (const each of watched) {
    if (each === null) continue;
    if (each.end <= now) each.watcher.onDeadline();
    else if (each.end < first) first = each.end;
  }
  if (first < next) wakeAt(first);
}
