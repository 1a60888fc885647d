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
