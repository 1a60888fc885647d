/** Long work in the process that answers requests: it yields where others may have their turn. */
import { setImmediate as nextTurn } from "node:timers/promises";

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

/** In their order, as `sort` puts them. */
export function* sorted(texts: readonly string[]): Interruptible<readonly string[]> {
  let runs: string[][] = [];
  for (let at = 0; at < texts.length; at += sortedAtOnce) {
    runs.push(texts.slice(at, at + sortedAtOnce).sort());
    yield;
  }
  while (runs.length > 1) {
    const longer: string[][] = [];
    for (let i = 0; i < runs.length; i += 2) longer.push(yield* merged(runs[i] ?? [], runs[i + 1] ?? []));
    runs = longer;
  }
  return runs[0] ?? [];
}

/** Takes about as long as a slice. */
const sortedAtOnce = 1000;

function* merged(one: readonly string[], other: readonly string[]): Interruptible<string[]> {
  const all: string[] = [];
  let [i, j] = [0, 0];
  while (i < one.length || j < other.length) {
    const [first, second] = [one[i], other[j]];
    const isFirst = second === undefined || (first !== undefined && first <= second);
    all.push((isFirst ? first : second) ?? "");
    if (isFirst) i++;
    else j++;
    if (all.length % sortedAtOnce === 0) yield;
  }
  return all;
}
