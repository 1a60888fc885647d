/** Detects callers that disconnect during calls made on their behalf. */
import type { Caller } from "../values/caller.ts";

/** Polling interval in milliseconds. */
const checkInterval = 200;

export interface CallerWatcher {
  /** Called when the caller has disconnected. Must end the watch. */
  onDisconnect(): void;
}

interface Watched {
  readonly caller: Caller;
  readonly watcher: CallerWatcher;
}

/**
 * Slots that are reused. A Map with frequently changing entries is rebuilt often, and V8 links old tables to new ones,
 * which would keep calls and replies alive.
 */
const watched: (Watched | null)[] = [];
const freeSlots: number[] = [];
let timer: NodeJS.Timeout | undefined;

/**
 * Starts watching a caller.
 * @returns the slot to pass to `unwatchCaller` exactly once
 */
export function watchCaller(caller: Caller, watcher: CallerWatcher): number {
  const slot = freeSlots.pop() ?? watched.length;
  watched[slot] = { caller, watcher };
  timer ??= setInterval(check, checkInterval).unref();
  return slot;
}

/** Ends a watch and frees its slot. */
export function unwatchCaller(slot: number): void {
  watched[slot] = null;
  freeSlots.push(slot);
}

/**
 * Checks all watched callers. The timer stops one interval after the last call, because a timer per call would cost
 * more.
 */
function check(): void {
  if (freeSlots.length === watched.length) {
    clearInterval(timer);
    timer = undefined;
    return;
  }
  for (const each of watched) if (each?.caller.aborted) each.watcher.onDisconnect();
}
