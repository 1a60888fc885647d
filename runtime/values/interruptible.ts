/** Long work in the process that answers requests: it yields where others may have their turn. */
import { setImmediate as nextTurn } from "node:timers/promises";

export type Interruptible<T> = Generator<undefined, T>;

/** In milliseconds: how long it holds others up. */
const slice = 3;

/** What the work returns, done between other work. */
export async function inSlices<T>(work: Interruptible<T>): Promise<T> {
  let began = performance.now();
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    if (performance.now() - began < slice) continue;
    await nextTurn();
    began = performance.now();
  }
}

/** What the work returns, where nobody waits for anything else. */
export function atOnce<T>(work: Interruptible<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}
