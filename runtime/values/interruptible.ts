/** Long computations on the main thread, written as generators that yield so that other work can run in between. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { compareText } from "./text-order.ts";

export type Interruptible<T> = Generator<undefined, T>;

/** Duration of a slice in milliseconds if the event loop was idle. */
const longSlice = 2;
/** Duration of a slice in milliseconds if the event loop was busy. */
const shortSlice = 0.5;
/** A turn of the event loop shorter than this, in milliseconds, counts as idle. */
const idleTurn = 0.1;
/** The maximum number of turns for other work between two slices. */
const maxTurns = 4;

/** Runs the work in slices between other work and resolves to its result. */
export async function runInSlices<T>(work: Interruptible<T>): Promise<T> {
  let slice = shortSlice;
  let began = performance.now();
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    if (performance.now() - began < slice) continue;
    slice = (await runOtherWork()) ? shortSlice : longSlice;
    began = performance.now();
  }
}

/** Runs the work. Returns its result if it never yields, otherwise a promise of the result. */
export function runUntilFirstYield<T>(work: Interruptible<T>): T | Promise<T> {
  const first = work.next();
  return first.done ? first.value : runInSlices(work);
}

/**
 * Waits for an idle turn of the event loop.
 * @returns true if no turn was idle
 */
async function runOtherWork(): Promise<boolean> {
  let last = performance.now();
  for (let turns = 0; turns < maxTurns; turns++) {
    await nextTurn();
    const now = performance.now();
    if (now - last < idleTurn) return false;
    last = now;
  }
  return true;
}

/** Runs the work without interruption. */
export function runToCompletion<T>(work: Interruptible<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

/** Sorts items by their texts, in the order of `compareText`. */
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

/** Number of items sorted without interruption. */
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
