/** Callers that go away while another service is called for them. */
import type { Caller } from "../values/caller.ts";

/** In milliseconds. */
const lookEvery = 200;

export interface CallerWatcher {
  /** The caller has gone; ends the watch. */
  callerIsGone(): void;
}

interface Watched {
  readonly caller: Caller;
  readonly watcher: CallerWatcher;
}

/**
 * In places that are used again. A Map would keep calls and their replies alive for long: one whose entries come and go
 * makes itself anew every few of them, and V8 links the old tables, with all that was in them, to the new ones.
 */
const watched: (Watched | null)[] = [];
const freePlaces: number[] = [];
let timer: NodeJS.Timeout | undefined;

/**
 * Looks a few times a second.
 * @returns what to end the watch with, which has to be done once
 */
export function watchCaller(caller: Caller, watcher: CallerWatcher): number {
  const place = freePlaces.pop() ?? watched.length;
  watched[place] = { caller, watcher };
  timer ??= setInterval(look, lookEvery).unref();
  return place;
}

/** The place belongs to another watch from now on. */
export function unwatchCaller(place: number): void {
  watched[place] = null;
  freePlaces.push(place);
}

/** The timer outlives the last call: one that is made for each would cost more than the looks. */
function look(): void {
  if (freePlaces.length === watched.length) {
    clearInterval(timer);
    timer = undefined;
    return;
  }
  for (const each of watched) if (each?.caller.aborted) each.watcher.callerIsGone();
}
