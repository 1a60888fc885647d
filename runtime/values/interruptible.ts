/** Long work in the process that answers requests: it yields where others may have their turn. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { compareText } from "./text-order.ts";

export type Interruptible<T> = Generator<undefined, T>;

/** In milliseconds: how long it holds others up, where none had anything to do in the last turn of the event loop. */
const longSlice = 2;
/** In milliseconds: where some had. */
const shortSlice = 0.5;
/** In milliseconds: a turn in which nobody has anything to do is shorter. */
const idleTurn = 0.1;
/** Others have no more turns than these between two slices, however much they have to do. */
const mostTurns = 4;

/** What the work returns, done between other work. */
export async function inSlices<T>(work: Interruptible<T>): Promise<T> {
  let slice = shortSlice;
  let began = performance.now();
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    if (performance.now() - began < slice) continue;
    slice = (await letOthersGoOn()) ? shortSlice : longSlice;
    began = performance.now();
  }
}

/** Returns the result of work that never yields, else a promise of it. */
export function promptly<T>(work: Interruptible<T>): T | Promise<T> {
  const first = work.next();
  return first.done ? first.value : inSlices(work);
}

/** Until a turn in which they have nothing to do. @returns whether there was none */
async function letOthersGoOn(): Promise<boolean> {
  let last = performance.now();
  for (let turns = 0; turns < mostTurns; turns++) {
    await nextTurn();
    const now = performance.now();
    if (now - last < idleTurn) return false;
    last = now;
  }
  return true;
}

/** What the work returns, where nobody waits for anything else. */
export function atOnce<T>(work: Interruptible<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

/** In the order of a text of each, as `sort` puts texts. */
export function* sorted<T>(items: readonly T[], textOf: (item: T) => string): Interruptible<readonly T[]> {
  const compare: Compare<T> = (one, other) => compareText(textOf(one), textOf(other));
  let runs: (readonly T[])[] = [];
  for (let at = 0; at < items.length; at += sortedAtOnce) {
    runs.push(items.slice(at, at + sortedAtOnce).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const longer: (readonly T[])[] = [];
    for (let i = 0; i < runs.length; i += 2) longer.push(yield* merged(runs[i] ?? [], runs[i + 1] ?? [], compare));
    runs = longer;
  }
  return runs[0] ?? [];
}

type Compare<T> = (one: T, other: T) => number;

/** Takes about as long as a slice. */
const sortedAtOnce = 1000;

function* merged<T>(one: readonly T[], other: readonly T[], compare: Compare<T>): Interruptible<readonly T[]> {
  const all: T[] = [];
  let [i, j] = [0, 0];
  while (i < one.length || j < other.length) {
    const [first, second] = [one[i], other[j]];
    if (first !== undefined && (second === undefined || compare(first, second) <= 0)) {
      all.push(first);
      i++;
    } else if (second !== undefined) {
      all.push(second);
      j++;
    }
    if (all.length % sortedAtOnce === 0) yield;
  }
  return all;
}
