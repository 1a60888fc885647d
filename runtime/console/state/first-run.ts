/** Record of the first successful operation of this browser, for the checklist of an empty server. */
import { signal } from "@preact/signals";

const key = "engine-console-has-run";

export const hasRunOperation = signal(localStorage.getItem(key) !== null);

/** Records that an operation succeeded. */
export function recordOperation(): void {
  if (hasRunOperation.value) return;
  localStorage.setItem(key, "1");
  hasRunOperation.value = true;
}
