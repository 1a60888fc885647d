/** Callers that go away while another service is called for them. */
import type { Caller } from "../values/caller.ts";

/** In milliseconds. */
const lookEvery = 200;

const watched = new Map<() => void, Caller>();
let timer: NodeJS.Timeout | undefined;

/**
 * Looks a few times a second.
 * @param onGone called once, soon after the caller has gone
 * @returns ends the watch
 */
export function watchCaller(caller: Caller, onGone: () => void): () => void {
  watched.set(onGone, caller);
  timer ??= setInterval(look, lookEvery).unref();
  return () => forget(onGone);
}

function look(): void {
  for (const [onGone, caller] of watched) {
    if (!caller.aborted) continue;
    forget(onGone);
    onGone();
  }
}

function forget(onGone: () => void): void {
  if (!watched.delete(onGone) || watched.size > 0) return;
  clearInterval(timer);
  timer = undefined;
}
