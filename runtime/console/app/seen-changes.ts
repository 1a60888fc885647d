/** Remembers in the browser which changes of the version the user has seen. */
import { signal } from "@preact/signals";

const key = "engine-console-seen-changes";

/** True until the changes of this version are shown for the first time. */
export const hasUnseenChanges = signal(localStorage.getItem(key) !== changesHash);

export function noteSeenChanges(): void {
  hasUnseenChanges.value = false;
  localStorage.setItem(key, changesHash);
}
